import { t } from '../strings/text.js';
import type { Inbox, InboxType } from '@casefile/contracts';
import { useQuery } from '@tanstack/react-query';
import { getJson } from './request.js';

/** Polling interval in milliseconds, because people and programs act without an event of this page. */
const EVERY_MS = 10_000;

/** Names of one and of many per type, in the order of the filter. */
export const INBOX_NAMES: Record<InboxType, readonly [one: string, many: string]> = {
  review: [t('api.verdict'), t('api.verdicts')],
  question: [t('api.question'), t('api.questions')],
  letter: [t('api.deadLetter'), t('api.deadLetters')],
  tool: [t('api.tool'), t('api.tools')],
  pattern: [t('api.pattern'), t('api.patterns')],
  batch: [t('api.batch'), t('api.batches')],
  engagement: [t('api.engagement'), t('api.engagements')],
};

export const INBOX_TYPES = Object.keys(INBOX_NAMES) as InboxType[];

/** Reads everything that waits for a person. */
export function useInbox() {
  return useQuery({
    queryKey: ['inbox'],
    queryFn: ({ signal }) => getJson<Inbox>('/inbox', signal),
    refetchInterval: EVERY_MS,
  });
}

/** Items that wait, of all types; null: none. */
export function waitingIn({ waiting }: Pick<Inbox, 'waiting'>): { count: number; oldest: string } | null {
  const [oldest] = waiting.map((one) => one.oldest).sort();
  const count = waiting.reduce((sum, one) => sum + one.count, 0);
  return oldest === undefined ? null : { count, oldest };
}
