import type { Config } from './config.ts';
import { crossCheck } from './cross-check.ts';
import { withoutEmptySections } from './empty-sections.ts';
import { defaultName, plainUrl } from './engine-url.ts';
import { withEnvValues } from './env-values.ts';
import { type Env, expandEnv } from './expand-env.ts';
import { explainIssue } from './explain-issue.ts';
import { impossibleNames } from './impossible-names.ts';
import { checkKinds } from './kinds/check-kinds.ts';
import { type ConfigSource, configError, isWithin, type Problem } from './problem.ts';
import { configSchema } from './schema.ts';
import { type ReadFile, readSecrets, type WithSecrets } from './secret-files.ts';

/** The outside world as a config may look at it. */
export interface ConfigWorld {
  readonly env: Env;
  readonly readFile: ReadFile;
}

/**
 * Content of a config file (or the same built from a command line) -> Config.
 * Throws one UsageError that names every problem found, each with its place.
 */
export async function resolveConfig(raw: unknown, source: ConfigSource, world: ConfigWorld): Promise<Config> {
  const lost = impossibleNames(raw);
  if (lost.length > 0) throw configError(source, lost);
  const written = withoutEmptySections(raw ?? {}, configSchema);
  const expanded = expandEnv(written, world.env);
  // Of a text whose variable is wrong the variable is all there is to say.
  const beside = (problems: readonly Problem[]): readonly Problem[] =>
    problems.filter(({ path }) => !expanded.problems.some((wrong) => isWithin(path, wrong.path)));

  const checked = parse(expanded);
  if (!checked.success) {
    const file = { schema: configSchema, raw: written, texts: expanded.texts };
    const issues = checked.error.issues.flatMap((issue) => explainIssue(issue, file));
    throw configError(source, [...expanded.problems, ...beside(issues)]);
  }

  const { kinds, problems: wrongKinds } = checkKinds(checked.data.kinds);
  const secrets = await readSecrets(checked.data, source.name, world.readFile);
  const config = build(secrets, kinds);
  // Without its keys or kinds a config contradicts itself in ways that are none.
  const isWhole = expanded.problems.length + wrongKinds.length + secrets.problems.length === 0;
  const rest = [...wrongKinds, ...secrets.problems, ...(isWhole ? crossCheck(config) : [])];
  const problems = [...expanded.problems, ...beside(rest)];
  if (problems.length > 0) throw configError(source, problems);
  return freeze(config);
}

/** A text from the environment may be meant as a number: that shows only once a number is wanted. */
function parse({ value, texts }: ReturnType<typeof expandEnv>): ReturnType<typeof configSchema.safeParse> {
  const checked = configSchema.safeParse(value);
  const other = checked.success ? undefined : withEnvValues(value, checked.error.issues, texts);
  return other === undefined ? checked : configSchema.safeParse(other);
}

function build({ file, engineKeys, keys }: WithSecrets, kinds: Config['kinds']): Config {
  return {
    engines: file.engines.map((engine, at) => ({
      name: engine.name ?? defaultName(engine.url),
      url: plainUrl(engine.url),
      kind: engine.kind,
      runtime: engine.runtime,
      key: engineKeys[at],
      metrics: engine.metrics,
    })),
    kinds,
    aliases: file.aliases,
    keys,
    listen: {
      host: file.listen.host.replace(/^\[(.*)\]$/, '$1'),
      port: file.listen.port,
      publicUrl: file.listen.publicUrl === undefined ? undefined : plainUrl(file.listen.publicUrl),
      allowedHosts: file.listen.allowedHosts,
      insecure: file.listen.insecure,
    },
    routing: file.routing,
    scrape: {
      intervalMs: file.scrape.interval,
      timeoutMs: file.scrape.timeout,
      maxPageBytes: file.scrape.maxPageBytes,
      page: {
        lines: file.scrape.maxPageLines,
        series: file.scrape.maxPageSeries,
        labelBytes: file.scrape.maxLabelBytes,
      },
      gzip: file.scrape.gzip,
      healthEveryMs: file.health.interval,
    },
    health: { misses: file.health.misses, slowStartMs: file.health.slowStart },
    breaker: {
      faultsInARow: file.breaker.faultsInARow,
      faultShare: file.breaker.faultShare,
      windowMs: file.breaker.window,
      leastInWindow: file.breaker.leastInWindow,
      openMs: file.breaker.open,
      openAtMostMs: file.breaker.openAtMost,
    },
    stream: { headAfterMs: file.stream.headAfter },
    limits: file.limits,
    log: file.log,
  };
}

function freeze<T>(value: T): T {
  if (typeof value !== 'object' || value === null) return value;
  for (const part of Object.values(value)) freeze(part);
  return Object.freeze(value);
}
