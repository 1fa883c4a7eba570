import { useInbox, waitingIn } from '../api/inbox.js';
import { countOf, countText } from '../format/numbers.js';
import { Age } from '../ui/stamp.js';

/** Number of things that wait for a person, and the age of the oldest one. */
export function InboxMark() {
  const { data } = useInbox();
  const waiting = data === undefined ? null : waitingIn(data);
  if (waiting === null) return null;
  return (
    <span className="place-count num" title={`${countOf(waiting.count, 'thing')} waiting`}>
      {countText(waiting.count)}
      <span className="place-age">
        {' '}
        · <Age at={waiting.oldest} />
      </span>
    </span>
  );
}
