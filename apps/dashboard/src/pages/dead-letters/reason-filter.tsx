import type { DeadLetter } from '@casefile/contracts';
import { cx } from '../../ui/cx.js';

interface FilterProps {
  letters: DeadLetter[];
  reason: string;
  change(reason: string): void;
}

/** The reasons there are, each to look at alone. */
export function ReasonFilter({ letters, reason, change }: FilterProps) {
  const counts = new Map<string, number>();
  for (const { reasonCode } of letters) counts.set(reasonCode, (counts.get(reasonCode) ?? 0) + 1);
  if (reason !== '' && !counts.has(reason)) counts.set(reason, 0);
  if (counts.size === 0) return null;
  const sorted = [...counts].sort(([, a], [, b]) => b - a);
  return (
    <ul className="reason-chips" aria-label="Reasons">
      {sorted.map(([code, n]) => (
        <li key={code}>
          <button
            type="button"
            className={cx('reason-chip', code === reason && 'reason-chip-on')}
            aria-pressed={code === reason}
            onClick={() => change(code === reason ? '' : code)}
          >
            <code>{code}</code> <span className="num">{n}</span>
          </button>
        </li>
      ))}
    </ul>
  );
}
