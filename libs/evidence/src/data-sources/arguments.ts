import { z, type JsonObject } from '@casefile/contracts';

/** Longest text of an argument. */
const MOST_TEXT = 4_000;

/** Characters of a `name`: none of them ends a quoted text or a word in a query language. */
const NAME = /^[A-Za-z0-9](?:[\w.:/@-]{0,198}[\w/@-])?$/;
/** A moment, or a time before now. */
const RELATIVE = /^now$|^-\d{1,6}[smhd]$/;
const DURATION = /^[1-9]\d{0,5}(?:ms|s|m|h|d)$/;

const about = z.string().min(3).max(400);
const common = { about, optional: z.boolean().default(false) };

/** Types of arguments, as a source file declares them. */
export const argumentSchema = z.discriminatedUnion(
  'type',
  [
    z.strictObject({
      ...common,
      type: z.literal('text'),
      most: z.int().min(1).max(MOST_TEXT).default(2_000),
      default: z.string().optional(),
    }),
    z.strictObject({
      ...common,
      type: z.literal('name'),
      default: z.string().regex(NAME, 'expected a name').optional(),
    }),
    z.strictObject({
      ...common,
      type: z.literal('one-of'),
      values: z.array(z.string().min(1).max(200)).min(1).max(100),
      default: z.string().optional(),
    }),
    z.strictObject({
      ...common,
      type: z.literal('integer'),
      least: z.int().default(0),
      most: z.int().default(1_000),
      default: z.int().optional(),
    }),
    z.strictObject({
      ...common,
      type: z.literal('time'),
      as: z.enum(['iso', 'seconds', 'milliseconds', 'nanoseconds']).default('iso'),
      default: z.string().regex(RELATIVE, 'expected a relative time such as -1h').optional(),
    }),
    z.strictObject({
      ...common,
      type: z.literal('duration'),
      default: z.string().regex(DURATION, 'expected a duration such as 5m').optional(),
    }),
  ],
  { error: 'expected a type: text, name, one-of, integer, time or duration' },
);
export type ArgumentSpec = z.infer<typeof argumentSchema>;

/** Value of an argument on the wire. */
export type WireValue = string | number;

/** Values of a request by argument. Optional arguments without a value are left out. */
export type ArgumentValues = ReadonlyMap<string, WireValue>;

/** Places of arguments in the texts of a request. */
export const ARGUMENT_PLACE = /\{([a-z][a-z0-9_]{0,30})\}/g;

/** Returns whether a value of this argument may stand inside a longer text. */
export function isPlain({ type }: ArgumentSpec): boolean {
  return type !== 'text';
}

/** Returns the validator of one argument. Its messages say what was expected. */
export function argumentCheck(spec: ArgumentSpec): z.ZodType {
  const check = bareCheck(spec);
  return spec.optional || spec.default !== undefined ? check.optional() : check;
}

function bareCheck(spec: ArgumentSpec): z.ZodType {
  if (spec.type === 'text')
    return z
      .string()
      .min(1)
      .max(spec.most, `expected at most ${spec.most} characters`)
      .refine((text) => text.isWellFormed(), 'expected well-formed Unicode');
  if (spec.type === 'name')
    return z.string().regex(NAME, 'expected letters, digits and _ . : / @ - only, at most 200');
  if (spec.type === 'one-of')
    return z.enum(spec.values as [string, ...string[]], `expected one of ${spec.values.join(', ')}`);
  if (spec.type === 'integer') return z.int().min(spec.least).max(spec.most);
  if (spec.type === 'duration')
    return z.string().regex(DURATION, 'expected a duration such as 30s, 5m, 1h or 1d');
  return z
    .string()
    .refine(
      (text) => RELATIVE.test(text) || z.iso.datetime({ offset: true }).safeParse(text).success,
      'expected a time such as 2026-01-05T10:00:00Z, or before now such as -30m',
    );
}

/** Returns the JSON Schema of one argument, which models see. */
export function argumentJsonSchema(spec: ArgumentSpec): JsonObject {
  const { about: description, default: usual } = spec;
  const described = {
    description: `${description}${FORMS[spec.type] ?? ''}`,
    ...(usual === undefined ? {} : { default: usual }),
  };
  if (spec.type === 'integer')
    return { type: 'integer', minimum: spec.least, maximum: spec.most, ...described };
  if (spec.type === 'one-of') return { type: 'string', enum: [...spec.values], ...described };
  if (spec.type === 'text') return { type: 'string', minLength: 1, maxLength: spec.most, ...described };
  return { type: 'string', minLength: 1, maxLength: 200, ...described };
}

const FORMS: Partial<Record<ArgumentSpec['type'], string>> = {
  time: ' (ISO 8601, or before now such as -30m)',
  duration: ' (such as 30s, 5m, 1h)',
};

const UNIT_MS = { s: 1_000, m: 60_000, h: 3_600_000, d: 86_400_000 } as const;

/** Returns checked arguments as the service expects them. @param now Milliseconds since the epoch, for times before now. */
export function argumentValues(
  specs: Readonly<Record<string, ArgumentSpec>>,
  args: JsonObject,
  now: number,
): ArgumentValues {
  return new Map(
    Object.entries(specs).flatMap(([name, spec]): [string, WireValue][] => {
      const value = wireValue(spec, args[name], now);
      return value === undefined ? [] : [[name, value]];
    }),
  );
}

function wireValue(spec: ArgumentSpec, value: unknown, now: number): WireValue | undefined {
  const argument = value ?? spec.default;
  if (argument === undefined) return undefined;
  if (spec.type !== 'time') return argument as WireValue;
  const at = momentOf(String(argument), now);
  if (spec.as === 'iso') return new Date(at).toISOString();
  if (spec.as === 'milliseconds') return at;
  return spec.as === 'seconds' ? at / 1_000 : `${at}000000`;
}

function momentOf(text: string, now: number): number {
  if (text === 'now') return now;
  const relative = /^-(\d{1,6})([smhd])$/.exec(text);
  if (relative === null) return Date.parse(text);
  return Math.max(0, now - Number(relative[1]) * UNIT_MS[relative[2] as keyof typeof UNIT_MS]);
}
