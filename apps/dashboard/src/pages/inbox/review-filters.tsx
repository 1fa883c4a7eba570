import { t } from '../../strings/text.js';
import { usePlaybooks } from '../../api/queries.js';
import type { ReviewFilter, ReviewFilterName } from '../../api/reviews.js';
import { DateField } from '../../ui/date-field.js';
import '../../ui/labelled-field.css';
import { SearchField } from '../../ui/search-field.js';
import { useTyped } from '../../ui/use-typed.js';

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
export function ReviewFilters({ filter, set }: FiltersProps) {
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
