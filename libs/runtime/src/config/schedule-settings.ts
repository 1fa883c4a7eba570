import { alertInputSchema, INTAKE_LANES, z, type FieldProblem } from '@casefile/contracts';
import type { Playbook } from '@casefile/pipeline';
import { cronProblem, isTimeZone } from '../schedules/due-times.js';

const NAME = /^[a-z0-9](?:[a-z0-9-]{0,48}[a-z0-9])?$/;

/** Returns the schema of a section with entries by name. The error of a wrong name has the name as its path. */
export const namedEntries = <T extends z.ZodType>(schema: T) =>
  z.record(z.string(), schema).superRefine((entries, context) => {
    for (const name of Object.keys(entries))
      if (!NAME.test(name))
        context.addIssue({
          code: 'custom',
          path: [name],
          message: 'expected a name of at most 50 lower case letters, digits and hyphens',
        });
  });

/** Fields of everything that runs at cron times. */
export const timingFields = {
  cron: z.string().superRefine((cron, context) => {
    const message = cronProblem(cron);
    if (message !== null) context.addIssue({ code: 'custom', message });
  }),
  /** IANA name of the time zone of `cron`. */
  timezone: z
    .string()
    .refine(isTimeZone, { error: 'expected an IANA time zone, for example Europe/Berlin' })
    .default('UTC'),
};

const scheduleSchema = z.strictObject({
  ...timingFields,
  lane: z.enum(INTAKE_LANES).default('live'),
  /** Body of `POST /v1/alerts`; `playbook` is required. */
  alert: alertInputSchema,
});

/** The section `schedules` of the settings: alerts that are submitted at cron times, by name. */
export const scheduleSettingsSchema = namedEntries(scheduleSchema);

/** A scheduled alert of the configuration. */
export type ConfiguredSchedule = z.infer<typeof scheduleSchema>;

/** Returns the problems of alerts of schedules that their kinds of case would refuse. */
export function scheduleProblems(
  schedules: z.infer<typeof scheduleSettingsSchema>,
  playbooks: readonly Pick<Playbook, 'name' | 'intake'>[],
): FieldProblem[] {
  const playbookNames = playbooks.map(({ name }) => name).join(', ');
  return Object.entries(schedules).flatMap(([name, { alert }]) => {
    const at = `schedules.${name}.alert`;
    const playbook = playbooks.find((one) => one.name === alert.playbook);
    if (playbook === undefined)
      return [{ path: `${at}.playbook`, message: `expected one of ${playbookNames}` }];
    return playbook.intake
      .problems(alert)
      .map(({ path, message }) => ({ path: path === '' ? at : `${at}.${path}`, message }));
  });
}
