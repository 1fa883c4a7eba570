import { rich, t } from '../../strings/text.js';
import type { Inbox, InboxType } from '@casefile/contracts';
import { useEffect } from 'react';
import { INBOX_NAMES, INBOX_TYPES, useInbox, waitingIn } from '../../api/inbox.js';
import { countText } from '../../format/numbers.js';
import { PageNotes } from '../../shell/page-notes-list.js';
import { Answer } from '../../ui/answer.js';
import { cx } from '../../ui/cx.js';
import { Age } from '../../ui/stamp.js';
import { useFilter } from '../../ui/use-filter.js';
import { DeadLetters } from '../dead-letters/dead-letters.js';
import { Engagements } from '../engagements/engagements.js';
import { Desk } from './desk.js';
import { itemRow } from './desk-row.js';
import { ReviewDesk } from './review-desk.js';
import './inbox.css';

/** Page of everything that waits for a person, the oldest first, with a filter by type. */
export default function InboxPage() {
  const [{ type: chosen }, set] = useFilter(['type']);
  const type = INBOX_TYPES.find((one) => one === chosen) ?? null;
  const inbox = useInbox();
  useEffect(() => void (document.title = t('inbox.inboxCasefile')), []);
  return (
    <>
      <div className="page-head">
        <h1>{t('inbox.inbox')}</h1>
        <p className="quiet">{inbox.data !== undefined && <Summary inbox={inbox.data} />}</p>
      </div>
      <TypeFilter inbox={inbox.data} type={type} choose={set('type')} />
      <PageNotes page="inbox" readAt={inbox.dataUpdatedAt} isFailing={inbox.error !== null} />
      {type === 'review' ? (
        <ReviewDesk />
      ) : type === 'letter' ? (
        <DeadLetters />
      ) : type === 'engagement' ? (
        <Engagements />
      ) : (
        <Answer of={inbox} what={t('inbox.theInbox')} lines={8}>
          {({ items }) => (
            <Desk
              key={type}
              rows={items.filter((item) => type === null || item.type === type).map(itemRow)}
              empty={{ title: t('inbox.nothingWaits'), text: t('inbox.workThatNeedsAPerson') }}
            />
          )}
        </Answer>
      )}
    </>
  );
}

function Summary({ inbox }: { inbox: Inbox }) {
  const waiting = waitingIn(inbox);
  if (waiting === null) return <>{t('inbox.nothingWaits')}</>;
  return (
    <>
      {rich('inbox.waitingTheOldestFor', {
        count: countText(waiting.count),
        age: <Age at={waiting.oldest} />,
      })}
    </>
  );
}

interface FilterProps {
  inbox: Inbox | undefined;
  type: InboxType | null;
  choose(type: string): void;
}

/** The types of which something waits, with their numbers. */
function TypeFilter({ inbox, type, choose }: FilterProps) {
  const counts = new Map(inbox?.waiting.map((one) => [one.type, one.count]));
  const shown = INBOX_TYPES.filter((one) => counts.has(one) || ALWAYS.has(one) || one === type);
  return (
    <div className="inbox-types" role="group" aria-label={t('inbox.type')}>
      <Chip name={t('inbox.all')} isOn={type === null} choose={() => choose('')} />
      {shown.map((one) => (
        <Chip
          key={one}
          name={INBOX_NAMES[one][1]}
          count={counts.get(one) ?? 0}
          isOn={type === one}
          choose={() => choose(one)}
        />
      ))}
    </div>
  );
}

/** Types whose settled items can be found here, too. */
const ALWAYS: ReadonlySet<InboxType> = new Set(['review', 'letter', 'engagement']);

interface ChipProps {
  name: string;
  count?: number;
  isOn: boolean;
  choose(): void;
}

function Chip({ name, count, isOn, choose }: ChipProps) {
  return (
    <button
      type="button"
      className={cx('reason-chip', isOn && 'reason-chip-on')}
      aria-pressed={isOn}
      onClick={choose}
    >
      {name} {count !== undefined && <span className="num">{countText(count)}</span>}
    </button>
  );
}
