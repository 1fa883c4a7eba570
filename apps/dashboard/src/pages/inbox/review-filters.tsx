import { usePlaybooks } from '../../api/queries.js';
import type { ReviewFilter, ReviewFilterName } from '../../api/reviews.js';
import { DateField } from '../../ui/date-field.js';
import '../../ui/labelled-field.css';
import { SearchField } from '../../ui/search-field.js';
import { useTyped } from '../../ui/use-typed.js';

type Options = readonly (readonly [value: string, name: string])[];

const STATES: Options = [
  ['', 'Waiting'],
  ['snoozed', 'Snoozed'],
  ['answered', 'Answered'],
  ['disputed', 'Disputed'],
  ['acknowledged', 'Acknowledged'],
  ['skipped', 'Skipped'],
  ['sampled', 'Drawn for a check'],
];
const REASONS: Options = [
  ['', 'Any reason'],
  ['degraded', 'Something failed'],
  ['rules', 'No model judged'],
  ['unsure', 'Not sure enough'],
];

interface FiltersProps {
  filter: ReviewFilter;
  set(name: ReviewFilterName): (value: string) => void;
}

/** Filters of the verdicts. */
export function ReviewFilters({ filter, set }: FiltersProps) {
  const { data } = usePlaybooks();
  const kinds: Options = [
    ['', 'Any kind'],
    ...(data?.playbooks.map(({ name, title }) => [name, title] as const) ?? []),
  ];
  const [assignee, setAssignee] = useTyped(filter.assignee ?? '', set('assignee'));
  return (
    <div className="desk-filters" role="search">
      <SearchField label="Search the alerts" value={filter.q ?? ''} change={set('q')} />
      <Choice label="State" value={filter.state} options={STATES} change={set('state')} />
      <Choice label="Kind" value={filter.playbook} options={kinds} change={set('playbook')} />
      <Choice label="Reason" value={filter.reason} options={REASONS} change={set('reason')} />
      <label className="labelled-field">
        <span>Assignee</span>
        <input className="field" value={assignee} onChange={(event) => setAssignee(event.target.value)} />
      </label>
      <DateField label="Decided on or before" value={filter.to} change={set('to')} />
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
