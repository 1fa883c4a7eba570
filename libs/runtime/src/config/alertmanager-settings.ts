import { z, type FieldProblem } from '@casefile/contracts';
import { filledAddress, type Variables } from './placeholders.js';

/** The section `alertmanager` of the settings: an Alertmanager whose silences apply to Casefile too. */
export const alertmanagerSettingsSchema = z.strictObject({
  /** Its address, such as `http://alertmanager:9093`. May contain `${NAME}`. */
  url: z.string().min(1).max(2_000),
  /** Headers of each request. Values may contain `${NAME}`. */
  headers: z
    .record(z.string().regex(/^[A-Za-z0-9-]{1,100}$/, 'expected the name of a header'), z.string().max(2_000))
    .default({}),
  /** Whether the host may be on loopback or a private network; such a host may also use http. */
  allowPrivate: z.boolean().default(false),
  /** Interval between two readings. */
  everySeconds: z.number().min(1).max(3_600).default(30),
});

/** An Alertmanager that is read. */
export type ConfiguredAlertmanager = z.infer<typeof alertmanagerSettingsSchema>;

/**
 * Returns the Alertmanager, and the problems of its settings.
 * @param variables Replace `${NAME}`; null: placeholders stay, for processes that do not read it.
 */
export function readAlertmanagerSettings(
  settings: ConfiguredAlertmanager | undefined,
  variables: Variables | null,
): { alertmanager: ConfiguredAlertmanager | null; problems: FieldProblem[] } {
  const problems: FieldProblem[] = [];
  if (settings === undefined) return { alertmanager: null, problems };
  const address = filledAddress(settings, variables, 'alertmanager', problems);
  return { alertmanager: { ...settings, ...address }, problems };
}
