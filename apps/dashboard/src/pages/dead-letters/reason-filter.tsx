import type { DeadLetterCount } from '@casefile/contracts';
import { countText } from '../../format/numbers.js';
import { cx } from '../../ui/cx.js';

interface FilterProps {
  /** Of all that match the search, also those that are not loaded. */
  reasons: readonly DeadLetterCount[];
  reason: string;
  change(reason: string): void;
}

/** The reasons there are, each to look at alone. */
export function ReasonFilter({ reasons, reason, change }: FilterProps) {
  const isKnown = reason === '' || reasons.some(({ reasonCode }) => reasonCode === reason);
  const shown = isKnown ? reasons : [...reasons, { reasonCode: reason, count: 0 }];
  if (shown.length === 0) return null;
  return (
    <ul className="reason-chips" aria-label="Reasons">
      {shown.map(({ reasonCode: code, count }) => (
        <li key={code}>
          <button
            type="button"
            className={cx('reason-chip', code === reason && 'reason-chip-on')}
            aria-pressed={code === reason}
            onClick={() => change(code === reason ? '' : code)}
          >
            <code>{code}</code> <span className="num">{countText(count)}</span>
          </button>
        </li>
      ))}
    </ul>
  );
}
