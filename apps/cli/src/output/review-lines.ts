import type { BulkReviewed, ShownReview } from '@casefile/contracts';
import { oneLine } from '@casefile/kit/output/escape';

/** Lines for the result of a request for many verdicts. */
export function bulkLines({ results, dryRun, done, refused }: BulkReviewed): string[] {
  const lines = results.map(({ id, word, becomes, problem }) => {
    const change = problem ?? `${word ?? '-'} -> ${becomes ?? '-'}`;
    return `${oneLine(id)}  ${oneLine(change)}`;
  });
  return [...lines, `${done} ${dryRun ? 'would be changed' : 'changed'}, ${refused} refused`];
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
