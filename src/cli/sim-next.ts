import { profileOf } from '../engines/index.ts';

/** What a config must say of a simulated engine beyond its address; empty where all is told by its answers. */
export function simConfig(kind: string): { readonly kind?: string; readonly metrics?: string } {
  const profile = profileOf(kind);
  const metrics = profile?.metrics;
  // A real one has its page on a port of its own, a simulated one has but one port.
  if (metrics?.port !== undefined) return { kind, metrics: metrics.path };
  return profile?.onlyByConfig === true ? { kind } : {};
}

/** How to route to a simulated engine, as lines that can be copied. */
export function simNext(kind: string, url: string, penstock: string): string {
  const config = Object.entries(simConfig(kind));
  if (config.length === 0) return `Next:\n  ${penstock} serve --engine ${url}\n`;
  const lines = ['engines:', `  - url: ${url}`, ...config.map(([key, value]) => `    ${key}: ${value}`)];
  const file = `sim-${kind}.yaml`;
  return [
    `Next, with this in ${file}:`,
    ...lines.map((line) => `  ${line}`),
    '',
    `  ${penstock} serve --config ${file}`,
    '',
  ].join('\n');
}
