import type { PolicyDocument, PolicyNode, PolicySection } from '@casefile/contracts';
import { ChevronLeft, ChevronRight } from 'lucide-react';
import { useEffect, useRef } from 'react';
import { Link, useLocation } from 'wouter';
import { usePolicySection } from '../../api/policies.js';
import { visible } from '../../format/visible.js';
import { useKeys } from '../../shell/use-keys.js';
import { Empty, Failed, Skeleton } from '../../ui/states.js';
import { findQuote } from './find-quote.js';
import { placeText, policyAddress } from './policy-address.js';
import { nodeAncestors } from './policy-tree.js';

interface SectionProps {
  policy: PolicyDocument;
  node: PolicyNode;
  /** Quoted words from the URL. */
  quote: string;
}

/**
 * A section: place, text with the quoted words marked, and neighbouring sections. j and k move to the next
 * and previous section.
 */
export function SectionView({ policy, node, quote }: SectionProps) {
  const { nodes } = policy;
  const at = nodes.indexOf(node);
  const [before, after] = [nodes[at - 1], nodes[at + 1]];
  const below = nodes.filter(({ parentId }) => parentId === node.nodeId);
  const [, navigate] = useLocation();
  const go = (to: PolicyNode | undefined) => () => {
    if (to !== undefined) navigate(policyAddress(policy, to.nodeId));
  };
  useKeys({ j: go(after), k: go(before) });
  return (
    <article className="panel section" aria-label={`Section ${node.title}`}>
      <nav aria-label="Path of the section" className="section-path">
        {nodeAncestors(nodes, node.nodeId).map((it) => (
          <Link key={it.nodeId} href={policyAddress(policy, it.nodeId)}>
            {visible(it.title)}
          </Link>
        ))}
      </nav>
      <SectionText policy={policy} node={node} quote={quote} />
      {below.length > 0 && (
        <nav aria-label="Sections below it" className="section-below">
          {below.map((it) => (
            <Link key={it.nodeId} href={policyAddress(policy, it.nodeId)}>
              <strong>{visible(it.title)}</strong>
              <span>{visible(it.summary)}</span>
            </Link>
          ))}
        </nav>
      )}
      <nav aria-label="Neighbours" className="section-neighbours">
        {before !== undefined && (
          <Link href={policyAddress(policy, before.nodeId)} rel="prev">
            <ChevronLeft aria-hidden="true" size={14} />
            <span>{visible(before.title)}</span>
          </Link>
        )}
        {after !== undefined && (
          <Link href={policyAddress(policy, after.nodeId)} rel="next">
            <span>{visible(after.title)}</span>
            <ChevronRight aria-hidden="true" size={14} />
          </Link>
        )}
      </nav>
    </article>
  );
}

function SectionText({ policy, node, quote }: SectionProps) {
  const { data, error, refetch } = usePolicySection(policy.policyId, policy.version, node.nodeId);
  return (
    <>
      <h2 dir="auto">{data == null ? visible(node.title) : <Marked text={data.title} quote={quote} />}</h2>
      <p className="section-place quiet num">
        <span className="mono">{node.nodeId}</span> {placeText(node)}
      </p>
      {data === undefined && error !== null && (
        <Failed what="The section could not be read" error={error} retry={() => void refetch()} />
      )}
      {data === undefined && error === null && <Skeleton lines={6} label="The section is loading" />}
      {data === null && <Empty title="This section is not in this version any more" />}
      {data != null && <Words section={data} quote={quote} />}
    </>
  );
}

function Words({ section: { text, title }, quote }: { section: PolicySection; quote: string }) {
  const isThere = quote === '' || findQuote(text, quote) !== null || findQuote(title, quote) !== null;
  return (
    <>
      {!isThere && (
        <p className="section-missing" role="status">
          These words are not in this section: <q dir="auto">{visible(quote)}</q>
        </p>
      )}
      {text.trim() === '' ? (
        <p className="quiet">This section has no text.</p>
      ) : (
        <div className="section-text" dir="auto">
          <Marked text={text} quote={quote} />
        </div>
      )}
    </>
  );
}

/** The text with the quoted words marked, if it contains them. Scrolls to the mark. */
function Marked({ text, quote }: { text: string; quote: string }) {
  const mark = useRef<HTMLElement>(null);
  const span = findQuote(text, quote);
  const place = span === null ? '' : `${span.from}-${span.to}`;
  useEffect(() => {
    // Waits for the page to scroll to its top, as every new page does.
    const frame = requestAnimationFrame(() => mark.current?.scrollIntoView({ block: 'center' }));
    return () => cancelAnimationFrame(frame);
  }, [text, place]);
  if (span === null) return visible(text);
  return (
    <>
      {visible(text.slice(0, span.from))}
      <mark ref={mark}>{visible(text.slice(span.from, span.to))}</mark>
      {visible(text.slice(span.to))}
    </>
  );
}
