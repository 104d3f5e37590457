import { shorten } from '../kit/shorten.ts';
import { GatewayError } from '../serving/errors.ts';

/**
 * What the query asks for under this name; undefined when it does not.
 * @throws GatewayError `unsupported_parameter` for a value that means nothing here: a page that leaves it aside would
 * be taken for what was asked
 */
export function asked<T extends string>(
  { searchParams }: URL,
  name: string,
  allowed: readonly T[],
): T | undefined {
  const value = searchParams.get(name);
  if (value === null) return undefined;
  const found = allowed.find((one) => one === value);
  if (found !== undefined) return found;
  throw new GatewayError(
    'unsupported_parameter',
    `"${name}" may be ${allowed.join(' or ')}, not ${JSON.stringify(shorten(value, 100))}`,
    { param: name },
  );
}
