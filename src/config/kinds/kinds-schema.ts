import { z } from 'zod';

import { pageUnitNames } from '../../catalog/page-unit.ts';
import { filled, name, text } from '../fields.ts';

const metricName = text((value) =>
  /^[A-Za-z_:][\w:]*$/.test(value)
    ? undefined
    : 'a metric name has letters, digits, underscores and colons and does not start with a digit',
);

/** A label as a page may have it. */
const labelName = text((value) =>
  /^[A-Za-z_]\w*$/.test(value)
    ? undefined
    : 'a label name has letters, digits and underscores and does not start with a digit',
);

const labelValue = z.string({ error: 'expected a text; a number needs quotes' });

const labelNames = (description: string) =>
  z.array(labelName).min(1).optional().describe(description).meta({ title: 'a list of label names' });

const path = text((value) =>
  /^\/[^\s#]*$/.test(value) ? undefined : 'expected a path that starts with "/"',
);

const where = z
  .record(
    labelName,
    z.union([labelValue, z.array(labelValue).min(1)], {
      error: 'expected a text or a list of texts; a number needs quotes',
    }),
  )
  .optional()
  .describe(
    'Only series whose label has this value, or one of these: `{ priority: "" }`. A label that is not there counts as empty.',
  )
  .meta({ title: 'label: value' });

const names = z
  .array(metricName)
  .min(1)
  .describe(
    'Its names on the page, newest first; the first that has samples is read. A histogram without `_bucket`.',
  )
  .meta({ title: 'a list of metric names' });

const pickOne = labelNames(
  'Labels whose values repeat one fact, as `tp_rank`: of series that differ in nothing else, one is read.',
);

const part = z
  .enum(['sum', 'count'])
  .optional()
  .describe('Read this part of a histogram or summary as a plain number.');

const sourceFields = {
  names,
  where,
  pickOne,
  labels: z
    .record(
      filled,
      z.strictObject({
        from: z.union([labelName, z.array(labelName).min(1)], {
          error: 'expected a label name or a list of them',
        }),
        values: z.record(labelValue, labelValue).optional(),
        otherwise: labelValue.optional(),
      }),
    )
    .optional()
    .describe(
      "The family's own labels as the page has them: `{ finished_reason: { from: why, values: { done: stop }, otherwise: abort } }`.",
    )
    .meta({ title: 'label: { from, values, otherwise }' }),
  without: labelNames("The family's own labels that these series lack."),
  constant: z
    .record(filled, labelValue)
    .optional()
    .describe("The family's own labels that these series stand for: `{ source: local_cache_hit }`.")
    .meta({ title: 'label: value' }),
  scale: z
    .number()
    .refine((value) => value > 0, { error: 'expected a number above 0' })
    .optional()
    .describe("The page's value times this is the family's. Not needed beside `unit`."),
  unit: filled
    .optional()
    .describe(
      "What the page's value is in, where that is not the family's unit: it is converted, and what cannot be is refused.",
    )
    .meta({ title: `one of ${pageUnitNames.join(', ')}` }),
  type: z
    .enum(['counter', 'gauge', 'histogram', 'summary', 'untyped'])
    .optional()
    .describe("The type that the page declares; what cannot become the family's is refused."),
  part,
  optional: z
    .boolean()
    .optional()
    .describe('Other versions or launch flags have it: read when it is there, never missed.'),
};

const source = z.strictObject(sourceFields);

/** One section with every form's keys: which of them go together `check-supply.ts` says in a person's words. */
const supply = z.strictObject({
  ...sourceFields,
  names: names.optional(),
  sum: z
    .array(source)
    .min(1)
    .optional()
    .describe('The sum of these sources; absent when the first of them is.')
    .meta({ title: 'a list of sources' }),
  each: z
    .array(source)
    .min(1)
    .optional()
    .describe('Several sources that each give other label values of the family.')
    .meta({ title: 'a list of sources' }),
  ratio: z
    .array(source)
    .min(1)
    .optional()
    .describe('The first source over the second: used blocks over all blocks.')
    .meta({ title: 'two sources' }),
  info: z
    .record(labelName, source)
    .optional()
    .describe('For `vllm:cache_config_info`: labels whose values are the numbers of these sources.')
    .meta({ title: 'label: source' }),
  sameAs: filled
    .optional()
    .describe("The figure of another family is this one's too.")
    .meta({ title: 'a family' }),
  onlyWith: filled
    .optional()
    .describe('With `sameAs`: only while this family is there.')
    .meta({ title: 'a family' }),
  missing: filled
    .optional()
    .describe('The engine cannot tell, and why: a sentence for whoever looks for the figure.'),
});

const kind = z.strictObject({
  like: filled
    .optional()
    .describe(
      "For a kind of your own: the built-in kind it is made from, whose families it has. Without it the kind has the families named under `families` and no others, at OpenAI's paths.",
    ),
  title: filled.optional().describe('What texts for people call it.'),
  metrics: z
    .strictObject({
      path: path.describe('Where its metrics are; a query belongs to it: `/stats?format=prometheus`.'),
    })
    .optional()
    .describe('The metrics page.'),
  health: z
    .strictObject({ path: path.describe('What answers 200 while it takes requests.') })
    .optional()
    .describe('The health check.'),
  models: z
    .strictObject({ path: path.describe("Where it lists its models, in the form of OpenAI's `/v1/models`.") })
    .optional()
    .describe('The model list.'),
  rankLabel: labelName.optional().describe('The label that tells data-parallel ranks apart.'),
  modelLabels: labelNames('The labels that name the model, newest first.'),
  progress: z
    .strictObject({ names, where, pickOne, part })
    .optional()
    .describe(
      'A counter that moves while the engine works, whatever its gauges say: what tells an idle engine from a stuck one.',
    )
    .meta({ title: 'a source' }),
  families: z
    .record(filled, supply)
    .default({})
    .describe("How it supplies families, by vLLM's current names; each replaces what the kind had."),
});

/** By the kind's name. */
export const kindsSchema = z.record(name, kind).default({});

export type FileKind = z.output<typeof kind>;
export type FileSupply = z.output<typeof supply>;
export type FileSource = z.output<typeof source>;
