import { destinationNameSchema, z, type FieldProblem } from '@casefile/contracts';
import { cronProblem, isTimeZone } from '../schedules/due-times.js';

/** The setting `delivery.auditHead`: times at which the head of the audit log is sent to a destination. */
export const auditHeadSettingsSchema = z.strictObject({
  /** Name of a destination of the settings. */
  to: destinationNameSchema,
  cron: z.string().min(1).max(100),
  /** IANA time zone of `cron`. */
  timezone: z.string().min(1).max(100).default('UTC'),
});
export type AuditHeadSettings = z.infer<typeof auditHeadSettingsSchema>;

/** Returns the problems of the setting. A pager is refused, because it would call a person. */
export function auditHeadProblems(
  setting: AuditHeadSettings | null,
  destinations: readonly { name: string; type: string }[],
): FieldProblem[] {
  if (setting === null) return [];
  const { to, cron, timezone } = setting;
  const problems: FieldProblem[] = [];
  const report = (field: string, message: string) =>
    problems.push({ path: `delivery.auditHead.${field}`, message });
  const possible = destinations.filter(({ type }) => type !== 'pagerduty').map(({ name }) => name);
  if (!possible.includes(to))
    report('to', `expected a destination of the settings that is no pager: ${possible.join(', ') || 'none'}`);
  const wrong = cronProblem(cron);
  if (wrong !== null) report('cron', wrong);
  if (!isTimeZone(timezone)) report('timezone', 'expected an IANA time zone, for example Europe/Berlin');
  return problems;
}
