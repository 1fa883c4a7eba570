import type { Condition } from '@casefile/contracts';
import { OctagonAlert, TriangleAlert } from 'lucide-react';
import { Link } from 'wouter';
import { useConditions } from '../api/queries.js';
import { cx } from '../ui/cx.js';
import { Stamp } from '../ui/stamp.js';
import './banner.css';

/** What is wrong now, on every page: the worst first, with its effect and what to do. */
export function Conditions() {
  const { data } = useConditions();
  const conditions = data?.conditions ?? [];
  return (
    <div role="status" aria-label="Conditions">
      {conditions.map((condition) => (
        <ConditionBanner key={condition.id} condition={condition} />
      ))}
    </div>
  );
}

function ConditionBanner({ condition }: { condition: Condition }) {
  const { severity, since, text, effect, act, link } = condition;
  const Icon = severity === 'error' ? OctagonAlert : TriangleAlert;
  return (
    <div className={cx('banner', severity === 'error' && 'banner-error')}>
      <Icon aria-hidden="true" size={16} />
      <p>
        <strong>
          <Link href={link}>{text}</Link>
        </strong>
        {since !== null && (
          <span>
            {' · since '}
            <Stamp at={since} />
          </span>
        )}
        <br />
        {effect} {act}
      </p>
    </div>
  );
}
