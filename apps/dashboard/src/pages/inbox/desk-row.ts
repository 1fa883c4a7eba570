import { t } from '../../strings/text.js';
import type { InboxItem, ListedReview } from '@casefile/contracts';
import { INBOX_NAMES } from '../../api/inbox.js';
import { visible } from '../../format/visible.js';
import { inWords } from '../../format/words.js';

/** A row of the desk. */
export interface DeskRow extends Pick<InboxItem, 'type' | 'id' | 'at' | 'kind' | 'state'> {
  /** Unlike `id`, it is unique over all types. */
  key: string;
  words: string;
  assignee: string | null;
  /** The verdict, if it can be selected for an answer in bulk; null: one of another list. */
  review: ListedReview | null;
}

/** Returns the row of a thing that waits. */
export function itemRow(item: InboxItem): DeskRow {
  const { type, id, at, kind, title, state } = item;
  const words = visible(title) || `${INBOX_NAMES[type][0]}: ${id}`;
  return {
    type,
    id,
    at,
    kind,
    key: `${type} ${id}`,
    words,
    state: inWords(state),
    assignee: null,
    review: null,
  };
}

/** Returns the row of a verdict that waits. */
export function reviewRow(review: ListedReview): DeskRow {
  const { id, since, playbook, word, text, headline, assignee } = review;
  const words = visible(text || headline || t('inbox.caseOf', { playbook }));
  return {
    type: 'review',
    id,
    at: since,
    kind: playbook,
    key: `review ${id}`,
    words,
    state: word,
    assignee,
    review,
  };
}
