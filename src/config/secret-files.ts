import { dirname, resolve } from 'node:path';

import type { Config } from './config.ts';
import { fileProblem } from './file-problem.ts';
import type { ConfigPath, Problem } from './problem.ts';
import type { CheckedFile } from './schema.ts';

export type ReadFile = (path: string) => Promise<string>;

/** A checked file with the content of its `keyFile`s in place of their names. */
export interface WithSecrets {
  readonly file: CheckedFile;
  /** One per engine, in the file's order. */
  readonly engineKeys: readonly (string | undefined)[];
  readonly keys: Config['keys'];
  readonly problems: readonly Problem[];
}

/** Reads every file that holds a secret. `from` is the config file: relative names start at its folder. */
export async function readSecrets(file: CheckedFile, from: string, readFile: ReadFile): Promise<WithSecrets> {
  const problems: Problem[] = [];

  async function lines(path: ConfigPath, name: string | undefined): Promise<readonly string[]> {
    if (name === undefined) return [];
    let content: string;
    try {
      content = await readFile(resolve(dirname(from), name));
    } catch (cause) {
      problems.push({ path, message: `cannot read ${JSON.stringify(name)}: ${fileProblem(cause)}` });
      return [];
    }
    const found = content
      .split('\n')
      .map((line) => line.trim())
      .filter((line) => line !== '' && !line.startsWith('#'));
    if (found.length === 0) problems.push({ path, message: `${JSON.stringify(name)} holds no key` });
    if (found.some((line) => !/^[!-~]+$/.test(line))) {
      const message = `${JSON.stringify(name)} must hold one key a line, of printable ASCII characters without blanks`;
      problems.push({ path, message });
    }
    return found;
  }

  async function one(
    path: ConfigPath,
    field: string,
    given: string | undefined,
    name: string | undefined,
  ): Promise<string | undefined> {
    const filePath = [...path, `${field}File`];
    if (given !== undefined && name !== undefined) {
      problems.push({ path: filePath, message: `stands beside "${field}"; keep one of the two` });
      return given;
    }
    const found = await lines(filePath, name);
    if (found.length > 1) {
      problems.push({
        path: filePath,
        message: `${JSON.stringify(name)} holds ${found.length} lines; one key is expected`,
      });
    }
    return given ?? found[0];
  }

  const { client, clientFile, scrape, scrapeFile } = file.keys;
  const engineKeys: (string | undefined)[] = [];
  for (const [at, { key, keyFile }] of file.engines.entries()) {
    engineKeys.push(await one(['engines', at], 'key', key, keyFile));
  }
  const keys = {
    client: [...client, ...(await lines(['keys', 'clientFile'], clientFile))],
    scrape: listOf(await one(['keys'], 'scrape', scrape, scrapeFile)),
  };
  const [scrapeKey] = keys.scrape;
  if (scrapeKey !== undefined && keys.client.includes(scrapeKey)) {
    const path = ['keys', scrape === undefined ? 'scrapeFile' : 'scrape'];
    const message = 'is a client key too, and would open everything; make a key for the pages alone';
    problems.push({ path, message });
  }
  return { file, engineKeys, keys, problems };
}

function listOf(key: string | undefined): readonly string[] {
  return key === undefined ? [] : [key];
}
