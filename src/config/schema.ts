import { z } from 'zod';

import { wrongEngineUrl, wrongUrl } from './engine-url.ts';
import { bytes, duration, filled, host, metricsAddress, name, secret, text } from './fields.ts';
import { kindsSchema } from './kinds/kinds-schema.ts';
import { kindNames, policyNames } from './names.ts';

const engine = z.strictObject({
  url: text((value) => wrongEngineUrl(value)).describe(
    'Where the engine listens, without /v1: http://10.0.0.5:8000. A path before /v1 is kept.',
  ),
  name: name
    .optional()
    .describe('What pages, labels and logs call it. Default: its host and port, "10.0.0.5-8000".'),
  kind: filled
    .optional()
    .describe(
      'What the engine is: a built-in kind or one of the section "kinds". Default: told from its answers when it is first reached. Set it where an engine hides behind a proxy that changes them; a wrong kind reads the wrong metric names.',
    )
    .meta({ examples: [...kindNames] }),
  key: secret
    .optional()
    .describe(
      `The key Penstock shows to this engine, best as \${NAME} from the environment. Clients never see it.`,
    ),
  keyFile: filled
    .optional()
    .describe(
      'A file that holds that key, as container secrets do; relative to this file. Instead of "key".',
    ),
  runtime: filled
    .optional()
    .describe(
      'The group of equal engines it belongs to, in the label `runtime_name`. Default: its kind and first model, "vllm-llama-3.1-8b".',
    ),
  metrics: metricsAddress
    .optional()
    .describe(
      'Where its metrics are, when not where its kind has them: a path below "url" or a full URL ("http://10.0.0.5:9000/metrics"). The key goes there only when that is the host of "url".',
    ),
});

const keys = z
  .strictObject({
    client: z
      .array(secret)
      .default([])
      .describe(
        'Keys of your clients, as "Authorization: Bearer" or x-api-key. One is enough to close everything but /health and /ready. None: whoever reaches the address may use it.',
      ),
    clientFile: filled
      .optional()
      .describe('A file with more of them, one a line; empty lines and lines that start with # are skipped.'),
    scrape: secret
      .optional()
      .describe('A key that opens only the metrics pages and service discovery: the one to give Prometheus.'),
    scrapeFile: filled.optional().describe('A file that holds the scrape key.'),
  })
  .prefault({});

const listen = z
  .strictObject({
    host: host
      .default('127.0.0.1')
      .describe(
        'Address to listen on. 127.0.0.1: this machine only. 0.0.0.0 or ::: every network it is in, which needs "keys.client" or "listen.insecure".',
      ),
    port: z
      .int()
      .min(0)
      .max(65_535)
      .default(4100)
      .describe('Port to listen on; 0 takes a free one and prints it.'),
    publicUrl: text((value) => wrongUrl(value, 'https://llm.example.org', ''))
      .optional()
      .describe(
        'How others reach the gateway ("https://llm.example.org"): written into service discovery where the Host header cannot be trusted.',
      ),
    allowedHosts: z
      .array(host)
      .default([])
      .describe(
        'Host names, beside localhost, under which a gateway without keys answers, and whose web pages may send it requests. Any other Host header is refused: a web page could reach it through DNS rebinding. So is any other Origin on what is not just reading.',
      ),
    insecure: z
      .boolean()
      .default(false)
      .describe(
        'Listen beyond this machine without client keys. Whoever reaches the address can use your engines and read every metric.',
      ),
  })
  .prefault({});

const routing = z
  .strictObject({
    policy: z
      .enum(policyNames)
      .default('least-requests')
      .describe(
        'How one of several engines with the model is picked. least-requests: the fewest requests by its last report and what was sent since. session-hash: a conversation stays where its prefix is cached.',
      ),
  })
  .prefault({});

const scrape = z
  .strictObject({
    interval: duration(100, '1s').describe(
      "How often each engine's metrics are read. Longer: less work for the engines, older numbers to route by.",
    ),
    timeout: duration(50, '5s').describe(
      'How long one read may take. llama.cpp answers between two batches: below the time of its longest batch a busy engine looks lost.',
    ),
    maxPageBytes: bytes(1024, '16MiB').describe(
      'Largest metrics page that is read; a larger one counts as a failed scrape.',
    ),
    maxPageLines: z
      .int()
      .min(1)
      .default(500_000)
      .describe('Most lines of a page; one with more counts as a failed scrape.'),
    maxPageSeries: z
      .int()
      .min(1)
      .default(250_000)
      .describe('Most series of a page; one with more counts as a failed scrape.'),
    maxLabelBytes: bytes(64, '16KiB').describe(
      "Longest name and longest value of a series' label; a page with a longer one counts as a failed scrape.",
    ),
    gzip: z
      .boolean()
      .default(false)
      .describe(
        'Let engines zip their pages. Only over slow lines: most engines zip in the thread that also streams tokens.',
      ),
  })
  .prefault({});

const health = z
  .strictObject({
    interval: duration(100, '5s').describe(
      "How often each engine's health path is asked, beside its metrics. An engine whose check costs it work (SGLang) is asked only when its page does not come; one without metrics (Ollama) at each scrape.interval.",
    ),
    misses: z
      .int()
      .min(1)
      .max(100)
      .default(3)
      .describe(
        'Failed looks in a row after which an engine is down: it gets no requests, and those that wait for its answer are moved to another. "Still loading", 429 and 4xx are no failures.',
      ),
    slowStart: duration(0, '30s').describe(
      'How long it takes an engine that is new, was restarted or was down to get its full share of the requests. 0s: all at once.',
    ),
  })
  .prefault({});

const breaker = z
  .strictObject({
    faultsInARow: z
      .int()
      .min(1)
      .default(5)
      .describe(
        'Failed requests in a row after which an engine is passed over for a while. Only what the engine is to blame for counts: no connection, a connection that breaks off, 500, 502, 504, a refused key. Never a 4xx, never 429 or 503.',
      ),
    faultShare: z
      .number()
      .gt(0)
      .max(1)
      .default(0.5)
      .describe('The same for a share of failed requests among those that ended within the window.'),
    window: duration(1_000, '30s').describe('The time over which that share is taken.'),
    leastInWindow: z
      .int()
      .min(1)
      .default(20)
      .describe('Below so many requests in the window their share says nothing.'),
    open: duration(100, '5s').describe(
      'How long it is passed over the first time, at most; then one request tries it. Doubled each time that fails.',
    ),
    openAtMost: duration(100, '60s').describe('Where that doubling ends.'),
  })
  .prefault({});

const stream = z
  .strictObject({
    headAfter: duration(0, '10s').describe(
      'How long the head of an answer is held for its first event: until then an engine that dies, or reports an error in its stream, is made good by another. Clients that wait less for a head need less. 0s: heads pass at once.',
    ),
  })
  .prefault({});

const limits = z
  .strictObject({
    bodyBytes: bytes(1024, '32MiB').describe(
      'Largest request body; beyond it clients get 413. Bodies are held in memory while a request may be tried again.',
    ),
    fleetPageSeries: z
      .int()
      .min(0)
      .default(50_000)
      .describe(
        'Most engine series on /metrics. Above it the page holds only what Penstock itself counts and says so; the pages per engine have no such limit.',
      ),
  })
  .prefault({});

const log = z
  .strictObject({
    level: z
      .enum(['debug', 'info', 'warn', 'error'])
      .default('info')
      .describe('info: one line per finished request. warn: only what needs attention.'),
    format: z
      .enum(['auto', 'text', 'json'])
      .default('auto')
      .describe('auto: text for a person at a terminal, JSON lines elsewhere.'),
  })
  .prefault({});

/** The config file. Unknown keys are refused: a misspelled limit that is silently ignored is no limit. */
export const configSchema = z.strictObject({
  engines: z.array(engine).min(1).describe('The engines to route to, in any order.'),
  kinds: kindsSchema.describe(
    'Kinds of your own, and changes to built-in ones: where an engine has its figures that Penstock does not know, or knows wrongly.',
  ),
  aliases: z
    .record(filled, filled)
    .default({})
    .describe('Names that clients may use for a model: "gpt-4o: llama-3.3-70b". Shown in /v1/models.'),
  keys: keys.describe('Who may use the gateway.'),
  listen: listen.describe('Where the gateway listens.'),
  routing: routing.describe('How an engine is chosen.'),
  scrape: scrape.describe('How engines are looked at.'),
  health: health.describe('When an engine counts as down.'),
  breaker: breaker.describe('When an engine that fails requests is passed over.'),
  stream: stream.describe('How streamed answers are passed on.'),
  limits: limits.describe('What is refused.'),
  log: log.describe('What is written to standard error.'),
});

/** The file's content after the schema: units resolved, defaults filled in, secrets not yet read. */
export type CheckedFile = z.output<typeof configSchema>;
