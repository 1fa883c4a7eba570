import type { ReviewList } from '@casefile/contracts';
import { counted, t } from '../../strings/text.js';
import { REVIEW_FILTERS, useReviews, type ReviewFilter, type ReviewFilterName } from '../../api/reviews.js';
import { Answer } from '../../ui/answer.js';
import { useFilter } from '../../ui/use-filter.js';
import { useActor } from '../../shell/use-actor.js';
import { Desk } from './desk.js';
import { reviewRow } from './desk-row.js';
import { usePlaybooks } from '../../api/queries.js';
import { DateField } from '../../ui/date-field.js';
import '../../ui/labelled-field.css';
import { SearchField } from '../../ui/search-field.js';
import { useTyped } from '../../ui/use-typed.js';

/** The verdicts that wait, or that people settled, with their filters and answers in bulk. */
export function ReviewDesk() {
  const [filter, set] = useFilter(REVIEW_FILTERS);
  const reviews = useReviews(filter);
  const { name: by } = useActor();
  const isFiltered = Object.keys(filter).length > 0;
  return (
    <>
      <ReviewFilters filter={filter} set={set} />
      <Answer of={reviews} what={t('inbox.theReviews')} lines={8}>
        {(data) => (
          <>
            <p className="visually-hidden" role="status">
              {waitingInWords(data)}
            </p>
            <Desk
              key={`${JSON.stringify(filter)} ${by}`}
              rows={data.reviews.map(reviewRow)}
              filter={filter}
              empty={
                isFiltered
                  ? { title: t('inbox.noVerdictMatches'), text: t('inbox.changeTheFiltersToSee') }
                  : { title: t('inbox.noVerdictWaits'), text: t('inbox.verdictsThatAskForAn') }
              }
            />
          </>
        )}
      </Answer>
    </>
  );
}

function waitingInWords({ waiting }: ReviewList): string {
  const count = waiting.reduce((sum, one) => sum + one.count, 0);
  return count === 0
    ? t('inbox.noVerdictWaits')
    : t('inbox.waiting', { count: counted('count.verdict', count) });
}

type Options = readonly (readonly [value: string, name: string])[];

const STATES: Options = [
  ['', t('inbox.waiting2')],
  ['snoozed', t('inbox.snoozed')],
  ['answered', t('inbox.answered3')],
  ['disputed', t('inbox.disputed')],
  ['acknowledged', t('inbox.acknowledged')],
  ['skipped', t('inbox.skipped')],
  ['sampled', t('inbox.drawnForACheck')],
];
const REASONS: Options = [
  ['', t('inbox.anyReason')],
  ['degraded', t('inbox.somethingFailed')],
  ['rules', t('inbox.noModelJudged')],
  ['unsure', t('inbox.notSureEnough')],
];

interface FiltersProps {
  filter: ReviewFilter;
  set(name: ReviewFilterName): (value: string) => void;
}

/** Filters of the verdicts. */
function ReviewFilters({ filter, set }: FiltersProps) {
  const { data } = usePlaybooks();
  const kinds: Options = [
    ['', t('inbox.anyKind')],
    ...(data?.playbooks.map(({ name, title }) => [name, title] as const) ?? []),
  ];
  const [assignee, setAssignee] = useTyped(filter.assignee ?? '', set('assignee'));
  return (
    <div className="desk-filters" role="search">
      <SearchField label={t('inbox.searchTheAlerts')} value={filter.q ?? ''} change={set('q')} />
      <Choice label={t('inbox.state')} value={filter.state} options={STATES} change={set('state')} />
      <Choice label={t('inbox.kind')} value={filter.playbook} options={kinds} change={set('playbook')} />
      <Choice label={t('inbox.reason')} value={filter.reason} options={REASONS} change={set('reason')} />
      <label className="labelled-field">
        <span>{t('inbox.assignee')}</span>
        <input className="field" value={assignee} onChange={(event) => setAssignee(event.target.value)} />
      </label>
      <DateField label={t('inbox.decidedOnOrBefore')} value={filter.to} change={set('to')} />
    </div>
  );
}

interface ChoiceProps {
  label: string;
  value: string | undefined;
  options: Options;
  change(value: string): void;
}

function Choice({ label, value, options, change }: ChoiceProps) {
  return (
    <select
      className="field"
      aria-label={label}
      data-set={value !== undefined || undefined}
      value={value ?? ''}
      onChange={(event) => change(event.target.value)}
    >
      {options.map(([option, name]) => (
        <option key={option} value={option}>
          {name}
        </option>
      ))}
    </select>
  );
}
