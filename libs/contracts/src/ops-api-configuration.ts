import { z } from 'zod';
import { readByAll } from './access/field-class.js';
import { jsonSchema } from './json.js';

export const SETTING_SOURCES = ['default', 'file', 'environment'] as const;

/** One setting in force. */
export const settingEntrySchema = z.object({
  name: z
    .string()
    .describe('Path in the configuration file, such as `lease.seconds`, or an environment variable.'),
  value: readByAll(jsonSchema, 'Secrets are masked before.').describe(
    'Secrets are masked, and `${NAME}` is not replaced; null: not set.',
  ),
  source: z.enum(SETTING_SOURCES),
  file: z
    .string()
    .nullable()
    .describe('The file that sets it, as `CASEFILE_CONFIG` names it; null: no file.'),
});
export type SettingEntry = z.infer<typeof settingEntrySchema>;

/** `GET /configuration`. */
export const configurationSchema = z.object({
  configuration: z
    .array(settingEntrySchema)
    .describe('Environment variables first, then the settings by name.'),
  nextCursor: z.null().describe('Always null: the list is complete.'),
});
export type Configuration = z.infer<typeof configurationSchema>;
