import { isMap, isNode, isScalar, LineCounter, parseDocument } from 'yaml';

import { reason } from '../kit/log.ts';
import { UsageError } from '../kit/usage-error.ts';
import type { ConfigPath, ConfigSource } from './problem.ts';
import { yamlProblem } from './yaml-problem.ts';

/** A YAML file's content and where each of its paths stands. Throws UsageError with line and column. */
export function readYaml(text: string, name: string): { value: unknown; source: ConfigSource } {
  const lines = new LineCounter();
  const document = parseDocument(text, { lineCounter: lines, prettyErrors: false });
  const place = (offset: number): string => {
    const { line, col } = lines.linePos(offset);
    return `:${line}:${col}`;
  };
  // A tag that nobody knows is only a warning, and its text would be taken as it stands.
  const [fault] = [...document.errors, ...document.warnings];
  if (fault !== undefined) {
    const [offset] = fault.pos;
    throw new UsageError(`${name}${place(offset)}: ${yamlProblem(fault, text, offset)}`);
  }

  const position = (path: ConfigPath): string => {
    // The nearest ancestor that stands in the file: a missing key has no place of its own.
    for (let depth = path.length; depth > 0; depth -= 1) {
      const offset = offsetOf(document, path.slice(0, depth));
      if (offset !== undefined) return place(offset);
    }
    return '';
  };
  try {
    const value: unknown = document.toJS();
    const circle = circleIn(value, []);
    if (circle !== undefined) {
      throw new UsageError(
        `${name}${position(circle)}: an alias (*) stands inside of what it names (&), which has no end`,
      );
    }
    return { value, source: { name, position } };
  } catch (cause) {
    if (cause instanceof UsageError) throw cause;
    // Aliases that expand without end are found only here.
    throw new UsageError(`${name}: ${yamlProblem({ code: '', message: reason(cause) }, text, 0)}`);
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

/** Where a value first holds itself. */
function circleIn(
  value: unknown,
  path: ConfigPath,
  above: ReadonlySet<unknown> = new Set(),
): ConfigPath | undefined {
  if (typeof value !== 'object' || value === null) return undefined;
  if (above.has(value)) return path;
  const here = new Set([...above, value]);
  for (const [key, part] of Object.entries(value)) {
    const circle = circleIn(part, [...path, Array.isArray(value) ? Number(key) : key], here);
    if (circle !== undefined) return circle;
  }
  return undefined;
}
