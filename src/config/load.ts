import { UsageError } from '../kit/usage-error.ts';
import type { Config } from './config.ts';
import { fileProblem } from './file-problem.ts';
import { readYaml } from './read-yaml.ts';
import { type ConfigWorld, resolveConfig } from './resolve.ts';

/**
 * Reads, checks and freezes a config file. Throws UsageError: file, place, what was found, what is allowed.
 * `change` may rewrite the file's content before it is checked: options of a command line win over the file.
 */
export async function loadConfig(
  path: string,
  world: ConfigWorld,
  change: (content: unknown) => unknown = (content) => content,
): Promise<Config> {
  let text: string;
  try {
    text = await world.readFile(path);
  } catch (cause) {
    throw new UsageError(`cannot read ${path}: ${fileProblem(cause)}`);
  }
  const { value, source } = readYaml(text, path);
  if (value === null) throw new UsageError(`${path}: the file is empty; it needs at least one engine`);
  return resolveConfig(change(value), source, world);
}
