import { createRequire } from 'node:module';
import { pathToFileURL } from 'node:url';
import { Worker } from 'node:worker_threads';

/**
 * A thread that runs `name`, the module beside the caller, in `dist` and from source alike.
 *
 * Node 20 knows no TypeScript, and what `--import tsx` brings ends at the door of a worker: from source the thread
 * begins with a line of its own that fetches it.
 *
 * @param caller its `import.meta.url`
 * @param name file name without extension
 */
export function startWorker(caller: string, name: string): Worker {
  if (!caller.endsWith('.ts')) return new Worker(new URL(`${name}.js`, caller));
  // The CommonJS form of this module is what `resolve` finds, and does not work.
  const tsx = createRequire(caller)
    .resolve('tsx/esm/api')
    .replace(/\.cjs$/, '.mjs');
  const [loader, file] = [pathToFileURL(tsx).href, new URL(`${name}.ts`, caller).href].map((url) =>
    JSON.stringify(url),
  );
  return new Worker(`import(${loader}).then(({ register }) => register()).then(() => import(${file}));`, {
    eval: true,
    execArgv: [],
  });
}
