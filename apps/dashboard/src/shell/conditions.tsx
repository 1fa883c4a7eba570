import { rich, t } from '../strings/text.js';
import type { Condition } from '@casefile/contracts';
import { OctagonAlert, TriangleAlert } from 'lucide-react';
import { useState } from 'react';
import { Link } from 'wouter';
import { useConditions, useReadAfterOutage } from '../api/queries.js';
import { Button } from '../ui/button.js';
import { cx } from '../ui/cx.js';
import { Age, Stamp } from '../ui/stamp.js';
import { errorMessage } from '../ui/states.js';
import { useNarrow } from '../ui/use-media.js';
import './banner.css';

/** Maximum number of conditions that fit the first screen of a phone with their effects and remedies. */
const UNFOLDED_ON_PHONES = 3;

/**
 * Current problems on every page, the worst first, each with its effect and remedy. On a phone, more than
 * three are folded to their first lines, so that all are on the first screen.
 */
export function Conditions() {
  const { data, error, dataUpdatedAt } = useConditions();
  useReadAfterOutage();
  const isNarrow = useNarrow();
  const conditions = data?.conditions ?? [];
  const mayFold = isNarrow && conditions.length > UNFOLDED_ON_PHONES;
  return (
    <div role="status" aria-label={t('shell.conditions')}>
      {error !== null && <Unread error={error} readAt={data === undefined ? null : dataUpdatedAt} />}
      {conditions.map((condition) => (
        <ConditionBanner key={condition.id} condition={condition} mayFold={mayFold} />
      ))}
    </div>
  );
}

/** States that the conditions could not be read now. `readAt`: time of those that are shown; null: there are none. */
function Unread({ error, readAt }: { error: Error; readAt: number | null }) {
  const at = readAt === null ? null : new Date(readAt).toISOString();
  return (
    <div className="banner banner-error">
      <OctagonAlert aria-hidden="true" size={16} />
      <p>
        <strong>{t('shell.theConditionsCannotBeRead')}</strong> {errorMessage(error)}
        {at !== null && (
          <> {rich('shell.thoseBelowAreAsOf', { stamp: <Stamp at={at} />, age: <Age at={at} /> })}</>
        )}
      </p>
    </div>
  );
}

function ConditionBanner({ condition, mayFold }: { condition: Condition; mayFold: boolean }) {
  const { id, severity, since, text, effect, act, link, asOf } = condition;
  const [isOpen, setOpen] = useState(false);
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
            {t('shell.since')}
            <Stamp at={since} /> (<Age at={since} />)
          </span>
        )}
        {asOf !== undefined && (
          <span>
            {t('shell.cannotBeReadNowAs')}
            <Stamp at={asOf} /> (<Age at={asOf} />)
          </span>
        )}
        {(isOpen || !mayFold) && (
          <>
            <br />
            {effect} {act}{' '}
            <Link href={`/docs/reference/conditions#${id.split('.')[0] ?? ''}`}>
              {t('shell.moreAboutThisCondition')}
            </Link>
          </>
        )}
      </p>
      {mayFold && (
        <Button
          kind="bare"
          small
          className="banner-fold"
          aria-expanded={isOpen}
          aria-label={t('shell.about', { isOpen: isOpen ? t('shell.less') : t('shell.more'), text })}
          onClick={() => setOpen(!isOpen)}
        >
          {isOpen ? t('shell.less') : t('shell.more')}
        </Button>
      )}
    </div>
  );
}
