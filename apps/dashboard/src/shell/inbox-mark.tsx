import { counted, t } from '../strings/text.js';
import { useInbox, waitingIn } from '../api/inbox.js';
import { countText } from '../format/numbers.js';
import { Age } from '../ui/stamp.js';

/** Number of things that wait for a person, and the age of the oldest one. */
export function InboxMark() {
  const { data } = useInbox();
  const waiting = data === undefined ? null : waitingIn(data);
  if (waiting === null) return null;
  return (
    <span
      className="place-count num"
      title={t('shell.waiting', { count: counted('count.thing', waiting.count) })}
    >
      {countText(waiting.count)}
      <span className="place-age">
        {' '}
        · <Age at={waiting.oldest} />
      </span>
    </span>
  );
}
