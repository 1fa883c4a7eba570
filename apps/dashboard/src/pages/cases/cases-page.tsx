import { useEffect } from 'react';
import { useLocation, useSearch } from 'wouter';
import { useCaseList } from '../../api/case-list.js';
import { Empty, Failed, Skeleton } from '../../ui/states.js';
import { CaseTable } from './case-table.js';
import { FilterBar } from './filter-bar.js';
import { filterFrom, searchOf, type CaseFilter } from './case-filter.js';
import './cases.css';

/** Every case on the record, newest first, as it changes. */
export default function CasesPage() {
  const filter = filterFrom(useSearch());
  const [, navigate] = useLocation();
  const setFilter = (next: CaseFilter): void => navigate(`/cases${searchOf(next)}`, { replace: true });
  useEffect(() => void (document.title = 'Cases · Casefile'), []);
  return (
    <div className="cases-page">
      <div className="page-head">
        <h1>Cases</h1>
      </div>
      <FilterBar filter={filter} change={setFilter} />
      <CaseRows filter={filter} clear={() => setFilter({})} />
    </div>
  );
}

function CaseRows({ filter, clear }: { filter: CaseFilter; clear: () => void }) {
  const { cases, paged } = useCaseList(filter);
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
  if (cases.length > 0) return <CaseTable cases={cases} paged={paged} />;
  return searchOf(filter) === '' ? (
    <Empty title="No cases yet">
      An alert opens the first one. You can <a href="/submit">submit one by hand</a>.
    </Empty>
  ) : (
    <Empty title="No case matches">
      <button type="button" className="button" onClick={clear}>
        Clear the filters
      </button>
    </Empty>
  );
}
