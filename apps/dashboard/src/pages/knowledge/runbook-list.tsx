import { ROW } from '../../ui/walk-rows.js';
import type { ListedRunbook } from '@casefile/contracts';
import { Link } from 'wouter';
import { useRunbooks } from '../../api/runbooks.js';
import { countOf } from '../../format/numbers.js';
import { visible } from '../../format/visible.js';
import { Badge } from '../../ui/badge.js';
import { Empty, Failed, Skeleton } from '../../ui/states.js';
import { Stamp } from '../../ui/stamp.js';
import '../runbooks/runbooks.css';

/** The runbooks that can be selected for an alert. */
export function RunbookList() {
  const { data, error, refetch } = useRunbooks();
  if (data === undefined) {
    if (error !== null)
      return <Failed what="The runbooks could not be read" error={error} retry={() => void refetch()} />;
    return (
      <div className="panel">
        <Skeleton lines={4} label="Runbooks are loading" />
      </div>
    );
  }
  if (data.runbooks.length === 0) {
    return (
      <Empty title="No runbooks yet">
        Import some with <code>npx casefile import runbooks FOLDER</code>
      </Empty>
    );
  }
  return (
    <ul className="panel runbooks">
      {data.runbooks.map((runbook) => (
        <li key={runbook.name} {...ROW}>
          <RunbookLine runbook={runbook} />
        </li>
      ))}
    </ul>
  );
}

function RunbookLine({ runbook }: { runbook: ListedRunbook }) {
  const { name, title, version, rules, isDefault, source, importedAt } = runbook;
  return (
    <>
      <Link href={`/runbooks/${encodeURIComponent(name)}`} dir="auto">
        {visible(title)}
      </Link>
      <span className="runbook-facts">
        <span className="mono quiet">{name}</span>
        <Badge>version {version}</Badge>
        {isDefault && <Badge tone="amber">default</Badge>}
        <span className="quiet">
          {countOf(rules.length, 'rule')} · {visible(source)} · <Stamp at={importedAt} />
        </span>
      </span>
    </>
  );
}
