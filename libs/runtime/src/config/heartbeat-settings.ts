import { z, type FieldProblem } from '@casefile/contracts';
import { filledIn, httpUrl, type Variables } from './placeholders.js';

/** The setting `delivery.heartbeat`: an outside monitor that notices when Casefile no longer works. */
export const heartbeatSettingsSchema = z.strictObject({
  /** URL of the monitor. May contain `${NAME}`. */
  url: z.string().min(1).max(2_000),
  /** Interval, in seconds. */
  everySeconds: z.number().int().min(10).max(86_400).default(60),
  /** May the address be private or loopback? */
  allowPrivate: z.boolean().default(false),
});
export type ConfiguredHeartbeat = z.infer<typeof heartbeatSettingsSchema>;

/**
 * Returns the heartbeat, and its problems: variables that are unset, or no URL.
 * @param variables Replace `${NAME}`; null: placeholders stay, for processes that do not send.
 */
export function readHeartbeat(
  { delivery: { heartbeat } }: { delivery: { heartbeat: ConfiguredHeartbeat | null } },
  variables: Variables | null,
): { heartbeat: ConfiguredHeartbeat | null; problems: FieldProblem[] } {
  const problems: FieldProblem[] = [];
  if (heartbeat === null) return { heartbeat, problems };
  const path = 'delivery.heartbeat.url';
  const url = filledIn(heartbeat.url, variables, path, problems);
  if (problems.length === 0) httpUrl(url, path, problems);
  return { heartbeat: { ...heartbeat, url }, problems };
}
