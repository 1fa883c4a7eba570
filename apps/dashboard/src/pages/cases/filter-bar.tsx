import { Search, X } from 'lucide-react';
import { useEffect, useRef, useState } from 'react';
import { usePlaybooks } from '../../api/queries.js';
import { Button } from '../../ui/button.js';
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
  ['heuristic', 'Heuristic'],
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
      <SearchField value={filter.q ?? ''} change={set('q')} />
      <Choice
        label="Status"
        any="Any status"
        value={filter.status}
        options={STATUSES}
        change={set('status')}
      />
      <Choice
        label="Verdict"
        any="Any verdict"
        value={filter.disposition}
        options={DISPOSITIONS}
        change={set('disposition')}
      />
      <Choice
        label="Playbook"
        any="Any playbook"
        value={filter.playbook}
        options={playbooks}
        change={set('playbook')}
      />
      <Choice
        label="Decided by"
        any="Any method"
        value={filter.method}
        options={METHODS}
        change={set('method')}
      />
      <Choice
        label="Quality"
        any="Any quality"
        value={filter.degraded}
        options={DEGRADED}
        change={set('degraded')}
      />
      <Choice label="Lane" any="Any lane" value={filter.lane} options={LANES} change={set('lane')} />
      <DateField label="From" value={filter.from} change={set('from')} />
      <DateField label="To" value={filter.to} change={set('to')} />
      {active > 0 && (
        <Button kind="bare" onClick={() => change({})}>
          <X aria-hidden="true" size={14} /> Clear
        </Button>
      )}
    </div>
  );
}

const TYPING_MS = 220;

function SearchField({ value, change }: { value: string; change(value: string): void }) {
  const [typed, setTyped] = useState(value);
  const sent = useRef(value);
  const latest = useRef(change);
  useEffect(() => void (latest.current = change));
  // The address changed by other means than typing here.
  useEffect(() => {
    if (value === sent.current) return;
    sent.current = value;
    setTyped(value);
  }, [value]);
  useEffect(() => {
    if (typed === sent.current) return;
    const timer = setTimeout(() => {
      sent.current = typed;
      latest.current(typed);
    }, TYPING_MS);
    return () => clearTimeout(timer);
  }, [typed]);
  return (
    <label className="search">
      <Search aria-hidden="true" size={14} />
      <span className="visually-hidden">Search alerts and reports</span>
      <input
        data-search
        className="field"
        type="search"
        placeholder="Search alerts and reports"
        value={typed}
        onChange={(event) => setTyped(event.target.value)}
        onKeyDown={(event) => event.key === 'Escape' && event.currentTarget.blur()}
      />
      <kbd aria-hidden="true">/</kbd>
    </label>
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
