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

/** Keeps an alert that cannot be taken with the dead letters, for a person: nothing that came is lost. */
export async function buryAlert(
  { store, log }: Pick<Platform, 'store' | 'log'>,
  { key, ...refused }: RefusedAlert,
): Promise<void> {
  const id = `alert-${createHash('sha256').update(key).digest('hex').slice(0, 32)}`;
  await store.deadLetters.bury({ id, ...refused });
  log.warn({ reason: refused.reasonCode }, 'an alert could not be taken, it is with the dead letters');
}
