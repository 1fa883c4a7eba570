import { useEffect, useState } from 'react';
import { useLocation, useSearch } from 'wouter';
import { useCaseList } from '../../api/case-list.js';
import { Empty, Failed, Skeleton } from '../../ui/states.js';
import { CaseTable } from './case-table.js';
import { filterFrom, filterSearch, type CaseFilter, type FilterName } from './case-filter.js';
import { batchFilter } from './judged-filter.js';
import { SavedViews } from './saved-views.js';
import './cases.css';
import { X } from 'lucide-react';
import { usePlaybooks } from '../../api/queries.js';
import { visible } from '../../format/visible.js';
import { useMay } from '../../shell/use-may.js';
import { JudgeAgain } from '../batches/batch-form.js';
import { PageNotes } from '../../shell/page-notes-list.js';
import { Button } from '../../ui/button.js';
import { DateField } from '../../ui/date-field.js';
import { SearchField } from '../../ui/search-field.js';
import { Stamp } from '../../ui/stamp.js';

/** Page of all cases, kept up to date. */
export default function CasesPage() {
  const filter = filterFrom(useSearch());
  const [, navigate] = useLocation();
  const setFilter = (next: CaseFilter): void => navigate(`/cases${filterSearch(next)}`, { replace: true });
  useEffect(() => void (document.title = 'Cases · Casefile'), []);
  return (
    <div className="cases-page">
      <div className="page-head">
        <h1>Cases</h1>
        <JudgeListed filter={filter} />
      </div>
      <FilterBar filter={filter} change={setFilter} />
      <SavedViews search={filterSearch(filter)} />
      <CaseRows filter={filter} change={setFilter} />
    </div>
  );
}

/** Judges the cases that match the filters again. */
function JudgeListed({ filter }: { filter: CaseFilter }) {
  const [isOpen, setOpen] = useState(false);
  const selected = batchFilter(filter);
  const may = useMay();
  if (selected === null || !may('operator')) return null;
  return (
    <>
      <Button onClick={() => setOpen(true)}>Judge these again …</Button>
      <JudgeAgain
        title="Judge these cases again?"
        ask={{ filter: selected }}
        open={isOpen}
        close={() => setOpen(false)}
      />
    </>
  );
}

function CaseRows({ filter, change }: BarProps) {
  const { cases, paged, searchableTo } = useCaseList(filter);
  return (
    <>
      <PageNotes page="cases" readAt={paged.dataUpdatedAt} isFailing={paged.isError} />
      {searchableTo !== null && (
        <p className="quiet" role="status">
          Texts from <Stamp at={searchableTo} /> on are not searched yet.
        </p>
      )}
      <ListedCases cases={cases} paged={paged} filter={filter} change={change} />
    </>
  );
}

interface ListedProps extends Pick<ReturnType<typeof useCaseList>, 'cases' | 'paged'>, BarProps {}

function ListedCases({ cases, paged, filter, change }: ListedProps) {
  if (paged.isPending || cases === null) {
    return (
      <div className="panel">
        <Skeleton lines={12} label="Cases are loading" />
      </div>
    );
  }
  if (paged.isError && cases.length === 0) {
    return (
      <Failed what="The cases could not be read" error={paged.error} retry={() => void paged.refetch()} />
    );
  }
  if (cases.length > 0) {
    const { order, ...rest } = filter;
    const isOldestFirst = order === 'oldest';
    const reverse = (): void => change(isOldestFirst ? rest : { ...rest, order: 'oldest' });
    return <CaseTable cases={cases} isOldestFirst={isOldestFirst} reverse={reverse} paged={paged} />;
  }
  return filterSearch(filter) === '' ? (
    <Empty title="No cases yet">
      An alert opens the first one. You can <a href="/cases/new">submit one by hand</a>.
    </Empty>
  ) : (
    <Empty title="No case matches">
      <button type="button" className="button" onClick={() => change({})}>
        Clear the filters
      </button>
    </Empty>
  );
}

interface BarProps {
  filter: CaseFilter;
  change(next: CaseFilter): void;
}

type FilterOptions = readonly [value: string, name: string][];

const STATUSES: FilterOptions = [
  ['open', 'Open'],
  ['decided', 'Decided'],
  ['closed', 'Closed'],
];
const DISPOSITIONS: FilterOptions = [
  ['act', 'Act'],
  ['review', 'Review'],
  ['dismiss', 'Dismiss'],
];
const METHODS: FilterOptions = [
  ['llm', 'Model'],
  ['heuristic', 'Rules'],
  ['demonstration', 'Demonstration'],
];
const DEGRADED: FilterOptions = [
  ['true', 'Degraded'],
  ['false', 'As intended'],
];
const LANES: FilterOptions = [
  ['live', 'Live'],
  ['shadow', 'Shadow'],
  ['replay', 'Replay'],
  ['batch', 'Batch'],
];

/** Search and filters of the list. Their values are in the page's URL. */
function FilterBar({ filter, change }: BarProps) {
  const { data } = usePlaybooks();
  const playbooks: FilterOptions = data?.playbooks.map(({ name, title }) => [name, title]) ?? [];
  const set = (name: FilterName) => (value: string) => change({ ...filter, [name]: value });
  const active = Object.keys(filter).length;
  const choices: [label: string, name: FilterName, options: FilterOptions][] = [
    ['Status', 'status', STATUSES],
    ['Verdict', 'disposition', DISPOSITIONS],
    ['Kind', 'playbook', playbooks],
    ['Decided by', 'method', METHODS],
    ['Quality', 'degraded', DEGRADED],
    ['Lane', 'lane', LANES],
  ];
  return (
    <div className="filters" role="search">
      <SearchField label="Search alerts and reports" value={filter.q ?? ''} change={set('q')} />
      {choices.map(([label, name, options]) => (
        <Choice key={name} label={label} value={filter[name]} options={options} change={set(name)} />
      ))}
      <div className="date-fields">
        <DateField label="From" value={filter.from} change={set('from')} />
        <DateField label="To" value={filter.to} change={set('to')} />
      </div>
      {filter.missing !== undefined && (
        <Button kind="bare" onClick={() => set('missing')('')}>
          <X aria-hidden="true" size={14} /> No answer of {visible(filter.missing)}
        </Button>
      )}
      {active > 0 && (
        <Button kind="bare" onClick={() => change({})}>
          <X aria-hidden="true" size={14} /> Clear
        </Button>
      )}
    </div>
  );
}

interface FilterChoiceProps {
  label: string;
  value: string | undefined;
  options: FilterOptions;
  change(value: string): void;
}

function Choice({ label, value, options, change }: FilterChoiceProps) {
  const isKnown = value === undefined || options.some(([it]) => it === value);
  return (
    <select
      className="field"
      aria-label={label}
      data-set={value !== undefined || undefined}
      value={value ?? ''}
      onChange={(event) => change(event.target.value)}
    >
      <option value="">{label}: any</option>
      {!isKnown && <option value={value}>{value}</option>}
      {options.map(([option, name]) => (
        <option key={option} value={option}>
          {name}
        </option>
      ))}
    </select>
  );
}
