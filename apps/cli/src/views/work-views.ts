import type {
  EngagementSession,
  InboxItem,
  ListedReview,
  PatternProposal,
  ShownDeadLetter,
} from '@casefile/contracts';
import { MICROS } from '@casefile/contracts';
import { excerpt } from '@casefile/kit/output/escape';
import type { ViewsOf } from '../client/console-client.js';
import { batchLine, previewLine } from '../output/batch-lines.js';
import { diffLines } from '../output/diff-lines.js';
import { reviewLines } from '../output/review-lines.js';
import { row, rows, sentences, time, type Column } from './view.js';

const REVIEW: Column<ListedReview>[] = [
  ({ id }) => id,
  ({ since }) => time(since),
  ({ playbook }) => playbook,
  ({ word }) => word,
  ({ text, assignee }) => `${excerpt(text, 60)}${assignee === null ? '' : `  (${assignee})`}`,
];

const INBOX: Column<InboxItem>[] = [
  ({ type }) => type,
  ({ id }) => id,
  ({ at }) => time(at),
  ({ state }) => state,
  ({ title }) => excerpt(title, 60),
];

const review = sentences(reviewLines);

const ENGAGEMENT: Column<EngagementSession>[] = [
  ({ id }) => id,
  ({ stage }) => stage,
  ({ action }) => action,
  ({ category }) => category ?? 'no category',
  ({ messages }) => (messages === 1 ? '1 message' : `${messages} messages`),
  ({ updatedAt }) => time(updatedAt),
  ({ conversation }) => (conversation === null ? '' : `conversation ${conversation}`),
];

const PROPOSAL: Column<PatternProposal>[] = [
  ({ id }) => id,
  ({ state }) => state,
  ({ event, ownProposal, by }) => `${event ?? (ownProposal ? 'agreed' : 'answered')} by ${by}`,
  ({ pattern: { category, title } }) => `${category}: ${title}`,
];

const LETTER: Column<ShownDeadLetter>[] = [
  ({ id }) => id,
  ({ at }) => time(at),
  ({ source }) => (source ? `from ${source}` : ''),
  ({ title }) => title,
  ({ message }) => message,
];

/** Views of cases, reviews, batches and other work of people. */
export const workViews: ViewsOf = {
  'get /inbox': rows(({ items }) => items, INBOX, {
    after: ({ waiting }) => [
      waiting.length === 0
        ? 'Nothing waits.'
        : `Waiting: ${waiting.map(({ type, count }) => `${count} ${type}`).join(', ')}`,
    ],
  }),
  'get /reviews': rows(({ reviews }) => reviews, REVIEW, {
    after: ({ waiting }) => [
      waiting.length === 0
        ? 'No verdict waits.'
        : `Waiting: ${waiting.map(({ playbook, count }) => `${count} ${playbook}`).join(', ')}`,
    ],
  }),
  'get /reviews/{id}': review,
  'post /reviews/{id}/acknowledge': review,
  'post /reviews/{id}/skip': review,
  'post /reviews/{id}/assign': review,
  'post /reviews/{id}/snooze': review,
  'post /reviews/{id}/comment': review,
  'post /cases/{caseId}/budget': sentences(({ key, limit, spent }) => {
    const inWords = (amount: number) => (key.endsWith(':usd') ? `$${amount / MICROS}` : `${amount} tokens`);
    return [`raised: ${key}: ${inWords(spent)} of ${inWords(limit)} spent; the run continues`];
  }),
  'get /runs/{a}/diff/{b}': { lines: diffLines },
  'get /batches': {
    lines: ({ batches }) => (batches.length === 0 ? ['There is no batch.'] : batches.map(batchLine)),
    note: ({ degraded: { count, providersOut } }) =>
      count > 0 && providersOut.length === 0
        ? `${count} verdicts of the last 24 h were degraded: casefile reprocess --degraded-since 24h`
        : null,
  },
  'get /batches/{batchId}': { lines: (batch) => [batchLine(batch)] },
  'post /batches/{batchId}/preview': sentences((preview) => [previewLine(preview)]),
  'post /batches/{batchId}/{act}': { lines: (batch) => [batchLine(batch)] },
  'get /engagements': rows(({ engagements }) => engagements, ENGAGEMENT, {
    none: 'There is no engagement session.',
  }),
  'post /engagements/{engagementId}/close': row(ENGAGEMENT),
  'get /pattern-proposals': rows(({ proposals }) => proposals, PROPOSAL, { none: 'No pattern is proposed.' }),
  'post /pattern-proposals/{id}/state': row(PROPOSAL),
  'get /dead-letters': rows(({ deadLetters }) => deadLetters, LETTER, { none: 'There is no dead letter.' }),
  'post /dead-letters/{letterId}/redrive': sentences(({ caseId }) => [`redriven: case ${caseId ?? '-'}`]),
};
