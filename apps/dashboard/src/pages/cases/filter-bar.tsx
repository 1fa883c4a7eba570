import { X } from 'lucide-react';
import { usePlaybooks } from '../../api/queries.js';
import { Button } from '../../ui/button.js';
import { SearchField } from '../../ui/search-field.js';
import type { CaseFilter, FilterName } from './case-filter.js';

interface BarProps {
  filter: CaseFilter;
  change(next: CaseFilter): void;
}

type Options = readonly [value: string, name: string][];

const STATUSES: Options = [
  ['open', 'Open'],
  ['decided', 'Decided'],
  ['closed', 'Closed'],
];
const DISPOSITIONS: Options = [
  ['act', 'Act'],
  ['review', 'Review'],
  ['dismiss', 'Dismiss'],
];
const METHODS: Options = [
  ['llm', 'Model'],
  ['heuristic', 'Rules'],
  ['demonstration', 'Demonstration'],
];
const DEGRADED: Options = [
  ['true', 'Degraded'],
  ['false', 'As intended'],
];
const LANES: Options = [
  ['live', 'Live'],
  ['shadow', 'Shadow'],
  ['replay', 'Replay'],
  ['batch', 'Batch'],
];

/** Search and filters of the list; each is in the page's address. */
export function FilterBar({ filter, change }: BarProps) {
  const { data } = usePlaybooks();
  const playbooks: Options = data?.playbooks.map(({ name, title }) => [name, title]) ?? [];
  const set = (name: FilterName) => (value: string) => change({ ...filter, [name]: value });
  const active = Object.keys(filter).length;
  return (
    <div className="filters" role="search">
      <SearchField label="Search alerts and reports" value={filter.q ?? ''} change={set('q')} />
      <Choice
        label="Status"
        any="Status: any"
        value={filter.status}
        options={STATUSES}
        change={set('status')}
      />
      <Choice
        label="Verdict"
        any="Verdict: any"
        value={filter.disposition}
        options={DISPOSITIONS}
        change={set('disposition')}
      />
      <Choice
        label="Playbook"
        any="Playbook: any"
        value={filter.playbook}
        options={playbooks}
        change={set('playbook')}
      />
      <Choice
        label="Decided by"
        any="Decided by: any"
        value={filter.method}
        options={METHODS}
        change={set('method')}
      />
      <Choice
        label="Quality"
        any="Quality: any"
        value={filter.degraded}
        options={DEGRADED}
        change={set('degraded')}
      />
      <Choice label="Lane" any="Lane: any" value={filter.lane} options={LANES} change={set('lane')} />
      <div className="date-fields">
        <DateField label="From" value={filter.from} change={set('from')} />
        <DateField label="To" value={filter.to} change={set('to')} />
      </div>
      {active > 0 && (
        <Button kind="bare" onClick={() => change({})}>
          <X aria-hidden="true" size={14} /> Clear
        </Button>
      )}
    </div>
  );
}

interface ChoiceProps {
  label: string;
  any: string;
  value: string | undefined;
  options: Options;
  change(value: string): void;
}

function Choice({ label, any, value, options, change }: ChoiceProps) {
  const isKnown = value === undefined || options.some(([it]) => it === value);
  return (
    <select
      className="field"
      aria-label={label}
      data-set={value !== undefined || undefined}
      value={value ?? ''}
      onChange={(event) => change(event.target.value)}
    >
      <option value="">{any}</option>
      {!isKnown && <option value={value}>{value}</option>}
      {options.map(([option, name]) => (
        <option key={option} value={option}>
          {name}
        </option>
      ))}
    </select>
  );
}

function DateField({
  label,
  value,
  change,
}: {
  label: string;
  value: string | undefined;
  change(value: string): void;
}) {
  return (
    <label className="date-field">
      <span>{label}</span>
      <input
        className="field"
        type="date"
        data-set={value !== undefined || undefined}
        value={value?.slice(0, 10) ?? ''}
        onChange={(event) => change(event.target.value)}
      />
    </label>
  );
}
