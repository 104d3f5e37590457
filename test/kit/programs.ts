import { accessSync, constants } from 'node:fs';
import { delimiter, join } from 'node:path';

/** Where a program stands on this machine; undefined when it is not installed (`npm run test:setup` installs it). */
export function programPath(name: string): string | undefined {
  for (const folder of (process.env['PATH'] ?? '').split(delimiter)) {
    const path = join(folder, name);
    try {
      accessSync(path, constants.X_OK);
      return path;
    } catch {
      // Not in this folder.
    }
  }
  return undefined;
}
