import { z } from 'zod';
import { jsonObjectSchema, jsonSchema } from './json.js';

/** How the secret of a data source is sent. */
export const SECRET_SCHEMES = ['bearer', 'basic', 'header'] as const;

/** Prefix of variables with secrets of data sources. Another variable could be a secret of Casefile itself. */
export const SOURCE_SECRET_PREFIX = 'SOURCE_';

export const dataSourceNameSchema = z
  .string()
  .regex(
    /^[a-z0-9](?:[a-z0-9-]{0,28}[a-z0-9])?$/,
    'expected at most 30 lower case letters, digits and hyphens',
  );

const secretSchema = z
  .string()
  .regex(
    /^SOURCE_[A-Z0-9_]{1,80}$/,
    'expected the name of a variable that begins with SOURCE_, not the secret itself',
  )
  .describe('Variable of the evidence collector that has the secret. For `basic` it has `user:password`.');

const urlSchema = z
  .url('expected a URL such as http://prometheus:9090')
  .max(2_000)
  .describe(
    'Base address, with the scheme of the source (`http`, `https`, `postgres`, ...). Its host may be private.',
  );

/** A data source as it is stored: its file, and what the operator decided. */
export const dataSourceEntrySchema = z.object({
  definition: jsonObjectSchema,
  url: urlSchema,
  secret: secretSchema.nullable(),
  scheme: z.enum(SECRET_SCHEMES),
  set: jsonObjectSchema,
  kinds: z.array(z.string()),
});
export type DataSourceEntry = z.infer<typeof dataSourceEntrySchema>;

/** `POST /sources`. */
export const addDataSourceSchema = z
  .strictObject({
    source: z.string().min(1).max(100).optional().describe('Name of a shipped source, such as `prometheus`.'),
    file: z.string().min(1).max(20_000).optional().describe('Text of an own source file, in YAML.'),
    name: dataSourceNameSchema.optional().describe('Default: the name of the source.'),
    url: urlSchema
      .optional()
      .describe('Base address. Its host may be private. Default: that of the source, if it has one.'),
    secret: secretSchema.optional(),
    scheme: z
      .enum(SECRET_SCHEMES)
      .optional()
      .describe('How the secret is sent. Default: the first of the source.'),
    set: z
      .record(z.string().min(1).max(31), jsonSchema)
      .optional()
      .describe('Arguments that are fixed, by name. Models cannot choose them.'),
    kinds: z
      .array(z.string().min(1).max(100))
      .min(1)
      .max(50)
      .optional()
      .describe('Kinds of case that may ask it. Default: those of the source.'),
    by: z.string().min(1).max(200).optional(),
    reason: z.string().max(2_000).optional(),
    actId: z.string().min(1).max(100).optional(),
  })
  .refine(({ source, file }) => (source === undefined) !== (file === undefined), {
    error: 'expected either source, the name of a shipped one, or file, the text of an own one',
  });

/** `POST /sources/{name}/remove` and `test`. */
export const dataSourceActSchema = z.strictObject({
  by: z.string().min(1).max(200).optional(),
  reason: z.string().max(2_000).optional(),
  actId: z.string().min(1).max(100).optional(),
});

/** A data source with its state. */
export const shownDataSourceSchema = z.object({
  name: z.string(),
  source: z.string().describe('Name in its file, such as `prometheus`.'),
  title: z.string(),
  address: z.string().describe('Scheme, host and port of its base address.'),
  secret: z.string().nullable().describe('Variable with its secret; null: it needs none.'),
  kinds: z.array(z.string()),
  tools: z.array(z.string()).describe('Names of its tools.'),
  state: z
    .enum(['ready', 'connecting', 'down'])
    .describe('Result of its last probe; `connecting`: there was none yet.'),
  why: z.string().nullable().describe('Why the last probe failed; null: it did not.'),
  probedAt: z.string().nullable(),
  changedBy: z.string(),
  changedAt: z.string(),
});
export type ShownDataSource = z.infer<typeof shownDataSourceSchema>;

/** A shipped source that can be added. */
export const shippedDataSourceSchema = z.object({
  source: z.string(),
  title: z.string(),
  about: z.string(),
  documentation: z.string(),
  tested: z
    .enum(['server', 'documentation'])
    .nullable()
    .describe('With the real server, or with answers written from the documentation.'),
});

/** `GET /sources`. */
export const dataSourceListSchema = z.object({
  sources: z.array(shownDataSourceSchema),
  shipped: z.array(shippedDataSourceSchema),
});
export type DataSourceList = z.infer<typeof dataSourceListSchema>;
