import { createHash } from 'node:crypto';
import type { Platform } from '../compose/platform.js';

/** An alert that cannot be taken, with why. */
export interface RefusedAlert {
  /** Tells this alert from others: the same key is one dead letter, however often it comes. */
  key: string;
  payload: unknown;
  reasonCode: string;
  message: string;
  /** The webhook format whose signature it came with; left out: it came unsigned. */
  provenBy?: string;
}

/** Alerts that are kept at the same time. */
const AT_ONCE = 50;

/** Keeps an alert that cannot be taken with the dead letters, for a person: nothing that came is lost. */
export function buryAlert(platform: Pick<Platform, 'store' | 'log'>, refused: RefusedAlert): Promise<void> {
  return buryAlerts(platform, [refused]);
}

/** Keeps alerts that cannot be taken with the dead letters; one line of the log says how many for each reason. */
export async function buryAlerts(
  { store, log }: Pick<Platform, 'store' | 'log'>,
  all: readonly RefusedAlert[],
): Promise<void> {
  if (all.length === 0) return;
  for (let from = 0; from < all.length; from += AT_ONCE) {
    const some = all.slice(from, from + AT_ONCE);
    await Promise.all(some.map(({ key, ...entry }) => store.deadLetters.bury({ id: idOf(key), ...entry })));
  }
  const reasons: Record<string, number> = {};
  for (const { reasonCode } of all) reasons[reasonCode] = (reasons[reasonCode] ?? 0) + 1;
  log.warn({ reasons }, 'alerts could not be taken, they are with the dead letters');
}

const idOf = (key: string): string => `alert-${createHash('sha256').update(key).digest('hex').slice(0, 32)}`;
