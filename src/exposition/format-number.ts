/**
 * A sample's value as Go and Python print it, readable by every parser: `NaN`, `+Inf`, `-Inf`, integers plain,
 * the shortest digits that read back equal otherwise.
 */
export function formatValue(value: number): string {
  if (Number.isNaN(value)) return 'NaN';
  if (value === Number.POSITIVE_INFINITY) return '+Inf';
  if (value === Number.NEGATIVE_INFINITY) return '-Inf';
  return Object.is(value, -0) ? '-0' : String(value);
}

/**
 * A histogram's bound as the Python client spells it in `le`, since vLLM and SGLang write theirs with it and
 * boards match the text: `1.0`, `0.001`, `1e-05`, `1e+06`, `+Inf`.
 *
 * From 1e10 on that client writes three digits of exponent (`1e+010`); so does this, for the same text.
 */
export function formatBound(bound: number): string {
  if (!Number.isFinite(bound) || bound === 0) return bound === 0 ? zero(bound) : formatValue(bound);
  const [mantissa = '', power = '0'] = bound.toExponential().split('e');
  const exponent = Number(power);
  if (exponent >= 16 || exponent < -4) return `${mantissa}e${signed(exponent)}`;
  if (bound > 0 && exponent >= 6) return `${mantissa}e+0${exponent}`;
  const plain = String(bound);
  return plain.includes('.') ? plain : `${plain}.0`;
}

function zero(bound: number): string {
  return Object.is(bound, -0) ? '-0.0' : '0.0';
}

function signed(exponent: number): string {
  return `${exponent < 0 ? '-' : '+'}${String(Math.abs(exponent)).padStart(2, '0')}`;
}
