import type { PolicyDocument } from '@casefile/contracts';
import { ChevronLeft } from 'lucide-react';
import { useEffect, type ReactNode } from 'react';
import { Link, useSearchParams } from 'wouter';
import { usePolicyVersion } from '../../api/policies.js';
import { ApiProblem } from '../../api/request.js';
import { countOf } from '../../format/numbers.js';
import { visible } from '../../format/visible.js';
import { Badge } from '../../ui/badge.js';
import { Empty, Failed, messageOf, Skeleton } from '../../ui/states.js';
import { Stamp } from '../../ui/stamp.js';
import { useNarrow } from '../../ui/use-media.js';
import { policyAddress } from './policy-address.js';
import { shownNode } from './policy-tree.js';
import { SectionTree } from './section-tree.js';
import { SectionView } from './section-view.js';
import './policy.css';

/** One version of a policy: its sections at the left, one of them whole; `?node=` says which, `&quote=` what to mark. */
export default function PolicyPage({ policyId, version }: { policyId: string; version: string }) {
  const { data, error, refetch } = usePolicyVersion(policyId, version);
  useEffect(() => void (document.title = `${data?.title ?? 'Policy'} · Casefile`), [data]);
  if (data === undefined) {
    if (error instanceof ApiProblem && (error.status === 404 || error.status === 400)) {
      return (
        <Empty title="There is no such policy">
          {messageOf(error)}. <Link href="/policies">All policies</Link>
        </Empty>
      );
    }
    if (error !== null)
      return <Failed what="The policy could not be read" error={error} retry={() => void refetch()} />;
    return (
      <div className="panel">
        <Skeleton lines={10} label="The policy is loading" />
      </div>
    );
  }
  return (
    <>
      <PolicyHead policy={data} />
      <Sections policy={data} />
    </>
  );
}

function PolicyHead({ policy }: { policy: PolicyDocument }) {
  const { policyId, version, currentVersion, title, language, format, source, pages, sections } = policy;
  return (
    <header className="policy-head">
      <Link href="/policies" className="back">
        <ChevronLeft aria-hidden="true" size={14} />
        Policies
      </Link>
      <h1 dir="auto">{visible(title)}</h1>
      <p className="policy-facts">
        <Badge>version {version}</Badge>
        {version !== currentVersion && (
          <>
            <Badge tone="amber">not the current one</Badge>
            <Link href={policyAddress({ policyId, version: currentVersion })}>version {currentVersion}</Link>
          </>
        )}
        <span className="quiet">
          {countOf(sections, 'section')}
          {pages !== null && ` · ${countOf(pages, 'page')}`} · {format} · {language} · {visible(source)} ·
          imported <Stamp at={policy.importedAt} />
        </span>
      </p>
    </header>
  );
}

function Sections({ policy }: { policy: PolicyDocument }) {
  const [search] = useSearchParams();
  const asked = search.get('node');
  const node = shownNode(policy.nodes, asked);
  return (
    <div className="policy-columns">
      <Contents shown={node?.nodeId}>
        <SectionTree policy={policy} selected={node?.nodeId ?? ''} />
      </Contents>
      {node === undefined ? (
        <Empty title={`This version has no section "${visible(asked ?? '')}"`}>
          Choose one of the others.
        </Empty>
      ) : (
        <SectionView key={node.nodeId} policy={policy} node={node} quote={search.get('quote') ?? ''} />
      )}
    </div>
  );
}

// Beside the section where there is room, else folded away above it; folded again when a section was chosen.
function Contents({ shown, children }: { shown: string | undefined; children: ReactNode }) {
  if (!useNarrow()) return <div className="panel contents">{children}</div>;
  return (
    <details key={shown} className="panel contents">
      <summary>Sections</summary>
      {children}
    </details>
  );
}
