import { isMap, isNode, isScalar, LineCounter, parseDocument } from 'yaml';

import { UsageError } from '../kit/usage-error.ts';
import type { ConfigPath, ConfigSource } from './problem.ts';

/** A YAML file's content and where each of its paths stands. Throws UsageError with line and column. */
export function readYaml(text: string, name: string): { value: unknown; source: ConfigSource } {
  const lines = new LineCounter();
  const document = parseDocument(text, { lineCounter: lines, prettyErrors: false });
  const place = (offset: number): string => {
    const { line, col } = lines.linePos(offset);
    return `:${line}:${col}`;
  };
  const [error] = document.errors;
  if (error !== undefined) throw new UsageError(`${name}${place(error.pos[0])}: not YAML: ${error.message}`);

  const position = (path: ConfigPath): string => {
    // The nearest ancestor that stands in the file: a missing key has no place of its own.
    for (let depth = path.length; depth > 0; depth -= 1) {
      const offset = offsetOf(document, path.slice(0, depth));
      if (offset !== undefined) return place(offset);
    }
    return '';
  };
  try {
    return { value: document.toJS() as unknown, source: { name, position } };
  } catch (cause) {
    // Aliases that expand without end are found only here.
    throw new UsageError(`${name}: not YAML: ${cause instanceof Error ? cause.message : String(cause)}`);
  }
}

function offsetOf(document: ReturnType<typeof parseDocument>, path: ConfigPath): number | undefined {
  const parent = path.length === 1 ? document.contents : document.getIn(path.slice(0, -1), true);
  const last = path.at(-1);
  if (isMap(parent)) {
    const pair = parent.items.find(({ key }) => isScalar(key) && key.value === last);
    return isScalar(pair?.key) ? pair.key.range?.[0] : undefined;
  }
  const node = document.getIn(path, true);
  return isNode(node) ? node.range?.[0] : undefined;
}
