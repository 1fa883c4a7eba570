import { ROW } from '../../ui/walk-rows.js';
import type { PolicyVersion } from '@casefile/contracts';
import { Link } from 'wouter';
import { usePolicies } from '../../api/policies.js';
import { countOf } from '../../format/numbers.js';
import { visible } from '../../format/visible.js';
import { Badge } from '../../ui/badge.js';
import { Empty, Failed, Skeleton } from '../../ui/states.js';
import { Stamp } from '../../ui/stamp.js';
import { policyAddress } from '../policy/policy-address.js';
import '../policy/policy.css';

/** The policies that cases can be checked against. */
export function PolicyList() {
  const { data, error, refetch } = usePolicies();
  if (data === undefined) {
    if (error !== null)
      return <Failed what="The policies could not be read" error={error} retry={() => void refetch()} />;
    return (
      <div className="panel">
        <Skeleton lines={4} label="Policies are loading" />
      </div>
    );
  }
  if (data.policies.length === 0) {
    return (
      <Empty title="No policies yet">
        Import one with <code>npx casefile import policy FILE</code>
      </Empty>
    );
  }
  return (
    <ul className="panel policies">
      {data.policies.map((policy) => (
        <li key={policy.policyId} {...ROW}>
          <PolicyLine policy={policy} />
        </li>
      ))}
    </ul>
  );
}

function PolicyLine({ policy }: { policy: PolicyVersion }) {
  const { policyId, version, title, sections, pages, format, language, importedAt } = policy;
  return (
    <>
      <Link href={policyAddress(policy)} dir="auto">
        {visible(title)}
      </Link>
      <span className="policy-facts">
        <span className="mono quiet">{policyId}</span>
        <Badge>version {version}</Badge>
        <span className="quiet">
          {countOf(sections, 'section')}
          {pages !== null && ` · ${countOf(pages, 'page')}`} · {format} · {language} ·{' '}
          <Stamp at={importedAt} />
        </span>
      </span>
    </>
  );
}
