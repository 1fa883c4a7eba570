import { rich, t } from '../strings/text.js';
import { useConditions } from '../api/queries.js';
import { Age, Stamp } from '../ui/stamp.js';
import { isOlder, pageNotes, type NotedPage } from './page-notes.js';

/**
 * States in place what open outages mean for a page, and how old its content is if it could not be read again.
 * @param readAt Time of the last reading, in milliseconds since the epoch; 0: none yet.
 * @param isFailing Whether the newest reading failed.
 */
export function PageNotes({
  page,
  readAt,
  isFailing,
}: {
  page: NotedPage;
  readAt: number;
  isFailing: boolean;
}) {
  const conditions = useConditions().data?.conditions ?? [];
  const isOld = isFailing || isOlder(readAt, conditions);
  const at = new Date(readAt).toISOString();
  const notes = pageNotes(page, conditions, isOld);
  if (notes.length === 0 && !isOld) return null;
  return (
    <div className="page-notes" role="note" aria-label={t('shell.outages')}>
      {notes.map((note) => (
        <p key={note}>{note}</p>
      ))}
      {isOld && readAt > 0 && (
        <p>{rich('shell.lastRead', { stamp: <Stamp at={at} />, age: <Age at={at} /> })}</p>
      )}
    </div>
  );
}
