import type { BulkReviewed, ReviewList, ShownReview } from '@casefile/contracts';
import { excerpt, oneLine } from '@casefile/kit/output/escape';

/** Lines for the result of a request for many verdicts. */
export function bulkLines({ results, dryRun, done, refused }: BulkReviewed): string[] {
  const lines = results.map(({ id, word, becomes, problem }) => {
    const change = problem ?? `${word ?? '-'} -> ${becomes ?? '-'}`;
    return `${oneLine(id)}  ${oneLine(change)}`;
  });
  return [...lines, `${done} ${dryRun ? 'would be changed' : 'changed'}, ${refused} refused`];
}

/** Lines for a list of reviews, and the count of those that wait. */
export function reviewListLines({ reviews, waiting }: ReviewList): string[] {
  const width = Math.max(0, ...reviews.map(({ word }) => oneLine(word).length));
  const kind = Math.max(0, ...reviews.map(({ playbook }) => playbook.length));
  const lines = reviews.map(({ id, since, playbook, word, text, assignee }) => {
    const whose = assignee === null ? '' : `  (${oneLine(assignee)})`;
    const facts = [id, since, playbook.padEnd(kind), oneLine(word).padEnd(width)].join('  ');
    return `${facts}  ${excerpt(text, 60)}${whose}`.trimEnd();
  });
  const waits = waiting.map(({ playbook, count }) => `${count} ${playbook}`).join(', ');
  return [...lines, waits === '' ? 'No verdict waits.' : `Waiting: ${waits}`];
}

/** Lines for one review with everything that people did. */
export function reviewLines({
  id,
  word,
  state,
  assignee,
  answers,
  history,
  correction,
  viewers,
}: ShownReview): string[] {
  const about = [
    `${id}  ${word}  ${state}${assignee === null ? '' : `, assigned to ${assignee}`}`,
    ...(viewers.length === 0 ? [] : [`open: ${viewers.join(', ')}`]),
  ];
  const historyLines = history.map(({ at, by, act, outcome, note, bulk }) => {
    const fields = Object.entries(outcome ?? {}).map(([name, value]) => `${name}=${String(value)}`);
    const how = bulk ? ' (in bulk)' : '';
    return `${at}  ${by} ${act} ${fields.join(' ')}${how}${note === null ? '' : `: ${note}`}`;
  });
  const disputed =
    state === 'disputed' ? [`${answers.length} people disagree; the newest answer counts`] : [];
  const way =
    correction === null
      ? []
      : correction.sentAt !== null
        ? [`the corrected verdict left at ${correction.sentAt}`]
        : correction.dueAt !== null
          ? [`the corrected verdict leaves at ${correction.dueAt}`]
          : [];
  return [...about, ...historyLines, ...disputed, ...way].map(oneLine);
}
