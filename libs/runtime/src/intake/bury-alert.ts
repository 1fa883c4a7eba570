import { createHash } from 'node:crypto';
import type { Platform } from '../compose/platform.js';

/** An alert that cannot be accepted, with the reason. */
export interface RefusedAlert {
  /** Identifies the alert. Alerts with the same key are one dead letter. */
  key: string;
  /** Default: `alert`. */
  kind?: 'alert' | 'feedback';
  payload: unknown;
  reasonCode: string;
  message: string;
  /** Webhook format whose signature was verified. Default: unsigned. */
  provenBy?: string;
}

/** Dead letters that are written concurrently. */
const AT_ONCE = 50;

/** Stores an alert that cannot be accepted as a dead letter for review, so that no alert is lost. */
export function buryAlert(platform: Pick<Platform, 'store' | 'log'>, refused: RefusedAlert): Promise<void> {
  return buryAlerts(platform, [refused]);
}

/** Stores alerts and feedback that cannot be accepted as dead letters. One log line reports the number for each reason. */
export async function buryAlerts(
  { store, log }: Pick<Platform, 'store' | 'log'>,
  all: readonly RefusedAlert[],
): Promise<void> {
  if (all.length === 0) return;
  for (let from = 0; from < all.length; from += AT_ONCE) {
    const some = all.slice(from, from + AT_ONCE);
    await Promise.all(
      some.map(({ key, ...entry }) => store.deadLetters.bury({ id: keyId(key, entry.kind), ...entry })),
    );
  }
  const reasons: Record<string, number> = {};
  for (const { reasonCode } of all) reasons[reasonCode] = (reasons[reasonCode] ?? 0) + 1;
  log.warn({ reasons }, 'alerts or feedback could not be accepted; they are dead letters');
}

const keyId = (key: string, kind = 'alert'): string =>
  `${kind}-${createHash('sha256').update(key).digest('hex').slice(0, 32)}`;
