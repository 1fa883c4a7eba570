import { displaySchema, z } from '@casefile/contracts';
import { KIND_NAME, KIND_NAME_FORM } from '@casefile/kit/kind';

const text = (max: number) => z.string({ error: 'expected a text' }).min(1, 'expected a text').max(max);
const expression = text(2_000);
/** JSON Schema of an object. */
const objectSchema = z.looseObject({
  type: z.literal('object', { error: 'expected object' }),
  properties: z.record(z.string(), z.looseObject({})),
});

const SETTING_NAME = /^[a-z][A-Za-z0-9]{0,62}$/;
const SETTING_NAME_FORM = 'expected a name such as knownVendors';

const DISPOSITIONS = ['act', 'review', 'dismiss'] as const;

/** A row of the decision: the first one whose condition is true decides. */
const decisionRow = z.strictObject({
  /** Default: always. */
  when: expression.optional(),
  action: z.string().regex(KIND_NAME, KIND_NAME_FORM),
  disposition: z.enum(DISPOSITIONS, { error: `expected one of ${DISPOSITIONS.join(', ')}` }),
  /** Text with expressions in {{ }}. */
  because: text(500),
});

/** A row of the rules, which judge without a model: the first one whose condition is true answers. */
const ruleRow = z.strictObject({
  when: expression.optional(),
  answer: z.record(z.string(), z.json()),
  because: text(500),
});

/** The content of `kind.yaml`. */
export const kindFileSchema = z.strictObject({
  name: z.string().regex(KIND_NAME, KIND_NAME_FORM),
  version: z.union([text(50), z.number().int().transform(String)]),
  title: text(200),
  /** Schema of the payload. */
  input: objectSchema,
  /** Subject of a case, with expressions in {{ }}. */
  text: text(1_000),
  lookUps: z
    .array(
      z.strictObject({
        /** Wire name. */
        tool: text(100),
        /** Arguments: texts with expressions in {{ }}. */
        args: z.record(z.string(), text(1_000)),
        when: expression.optional(),
      }),
    )
    .max(20)
    .default([]),
  /**
   * Settings of an installation, by name, as JSON Schemas with defaults. They are options of the kind
   * (`playbooks.<name>`, or keys of its `settingsFile`).
   */
  settings: z
    .record(z.string().regex(SETTING_NAME, SETTING_NAME_FORM), z.looseObject({ default: z.json() }))
    .default({}),
  /** Items of lists in the settings that become evidence. */
  evidence: z
    .array(
      z.strictObject({
        /** Name of a setting that is a list. */
        each: text(100),
        /** Condition on `item` and `input`. */
        when: expression,
        /** Type of what an item is about, and what it is about: a text with expressions in {{ }}. */
        type: text(64),
        value: text(1_000),
      }),
    )
    .max(10)
    .default([]),
  /** Question to a model; without it, rules judge. */
  question: z
    .strictObject({
      /** File with the sections system, case and task. */
      prompt: text(500),
      /** Fields of the answer. `confidence`, `why` and `evidenceUsed` are added. */
      answer: objectSchema,
      maxOutputTokens: z.number().int().min(50).max(8_000).default(800),
    })
    .optional(),
  rules: z.array(ruleRow).max(50).default([]),
  decision: z.array(decisionRow).min(1, 'expected at least one row').max(50),
  /** How a case is named, and the sections of its page. */
  display: displaySchema.optional(),
  /** Labels of fields of the outcome, for the console. */
  labels: z.record(z.string(), text(100)).default({}),
  /** Alert of the kind, a JSON file: its payload is the example of the form. */
  sample: text(500).optional(),
  /** Labelled set for `casefile eval`: JSON lines with id, payload and expected, an action. */
  evaluation: text(500).optional(),
  options: z
    .strictObject({
      deadlineMs: z.number().int().positive().max(600_000).default(20_000),
      toolWaitMs: z.number().int().positive().max(600_000).default(10_000),
    })
    .prefault({}),
});
export type KindFile = z.infer<typeof kindFileSchema>;
