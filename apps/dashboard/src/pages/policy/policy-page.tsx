import type { PolicyDocument } from '@casefile/contracts';
import { ChevronRight } from 'lucide-react';
import { useEffect, type ReactNode, useRef, useState, type KeyboardEvent, type MouseEvent } from 'react';
import { Link, useSearchParams } from 'wouter';
import { usePolicyVersion } from '../../api/policies.js';
import { ApiProblem } from '../../api/request.js';
import { countOf } from '../../format/numbers.js';
import { visible } from '../../format/visible.js';
import { Badge } from '../../ui/badge.js';
import { Empty, Failed, errorMessage, Skeleton } from '../../ui/states.js';
import { Stamp } from '../../ui/stamp.js';
import { useNarrow } from '../../ui/use-media.js';
import { policyAddress, pagesText } from './policy-address.js';
import { shownNode, openAtFirst, treeRows, type TreeRow } from './policy-tree.js';
import { SectionView } from './section-view.js';
import './policy.css';

/**
 * Page of one version of a policy: the sections at the left, one of them in full. `?node=` names this
 * section. `&quote=` is the text to mark.
 */
export default function PolicyPage({ policyId, version }: { policyId: string; version: string }) {
  const { data, error, refetch } = usePolicyVersion(policyId, version);
  useEffect(() => void (document.title = `${data?.title ?? 'Policy'} · Casefile`), [data]);
  if (data === undefined) {
    if (error instanceof ApiProblem && (error.status === 404 || error.status === 400)) {
      return (
        <Empty page title="There is no such policy">
          {errorMessage(error)}. <Link href="/settings/knowledge">All policies</Link>
        </Empty>
      );
    }
    if (error !== null)
      return <Failed page what="The policy could not be read" error={error} retry={() => void refetch()} />;
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
  const requestedId = search.get('node');
  const node = shownNode(policy.nodes, requestedId);
  return (
    <div className="policy-columns">
      <Contents shown={node?.nodeId}>
        <SectionTree
          key={`${policy.policyId} ${policy.version}`}
          policy={policy}
          selected={node?.nodeId ?? ''}
        />
      </Contents>
      {node === undefined ? (
        <Empty title={`This version has no section "${visible(requestedId ?? '')}"`}>
          Choose one of the others.
        </Empty>
      ) : (
        <SectionView key={node.nodeId} policy={policy} node={node} quote={search.get('quote') ?? ''} />
      )}
    </div>
  );
}

// The contents next to the section, or folded above it on narrow pages. Choosing a section folds them again.
function Contents({ shown, children }: { shown: string | undefined; children: ReactNode }) {
  if (!useNarrow()) return <div className="panel contents">{children}</div>;
  return (
    <details key={shown} className="panel contents">
      <summary>Sections</summary>
      {children}
    </details>
  );
}

/** Tree of the sections of a policy. Arrow keys move, expand and collapse; Enter shows a section. */
function SectionTree({ policy, selected }: { policy: PolicyDocument; selected: string }) {
  const { nodes } = policy;
  const [open, setOpen] = useState(() => openAtFirst(nodes, selected));
  const [focused, setFocused] = useState(selected);
  const [lastSelected, setLastSelected] = useState(selected);
  // Set during rendering, not in an effect: the next key press would still see the old tree.
  if (lastSelected !== selected) {
    setLastSelected(selected);
    setFocused(selected);
    setOpen(new Set([...open, ...openAtFirst(nodes, selected)]));
  }
  const list = useRef<HTMLUListElement>(null);
  useEffect(() => void requestAnimationFrame(() => showIn(list.current, selected)), [selected]);
  const rows = treeRows(nodes, open);
  const current = rows.some(({ node }) => node.nodeId === focused) ? focused : rows[0]?.node.nodeId;
  const toggle = (nodeId: string, isOpen: boolean): void => {
    const next = new Set(open);
    if (isOpen) next.delete(nodeId);
    else next.add(nodeId);
    setOpen(next);
  };
  const focus = (row: TreeRow | undefined): void => {
    if (row === undefined) return;
    setFocused(row.node.nodeId);
    itemIn(list.current, row.node.nodeId)?.focus();
  };
  const press = (event: KeyboardEvent): void => {
    const at = rows.findIndex(({ node }) => node.nodeId === current);
    const row = rows[at];
    if (row === undefined || event.ctrlKey || event.metaKey || event.altKey) return;
    const { node, below, isOpen } = row;
    const moves: Record<string, () => void> = {
      ArrowDown: () => focus(rows[at + 1]),
      ArrowUp: () => focus(rows[at - 1]),
      Home: () => focus(rows[0]),
      End: () => focus(rows.at(-1)),
      ArrowRight: () =>
        below > 0 && !isOpen ? toggle(node.nodeId, false) : focus(isOpen ? rows[at + 1] : row),
      ArrowLeft: () =>
        isOpen ? toggle(node.nodeId, true) : focus(rows.find((it) => it.node.nodeId === node.parentId)),
    };
    const move = moves[event.key];
    if (move === undefined) return;
    event.preventDefault();
    move();
  };
  return (
    <ul ref={list} role="tree" aria-label="Sections" className="tree" onKeyDown={press}>
      {rows.map((row) => (
        <li key={row.node.nodeId} role="none">
          <Item
            row={row}
            href={policyAddress(policy, row.node.nodeId)}
            isSelected={row.node.nodeId === selected}
            isFocused={row.node.nodeId === current}
            toggle={() => toggle(row.node.nodeId, row.isOpen)}
          />
        </li>
      ))}
    </ul>
  );
}

interface ItemProps {
  row: TreeRow;
  href: string;
  isSelected: boolean;
  isFocused: boolean;
  toggle(): void;
}

function Item({ row, href, isSelected, isFocused, toggle }: ItemProps) {
  const { node, depth, below, isOpen, place, of } = row;
  // The arrow expands and collapses. The rest of the row is a link to the section.
  const turn = (event: MouseEvent): void => {
    event.preventDefault();
    toggle();
  };
  return (
    <Link
      href={href}
      role="treeitem"
      className="tree-item"
      style={{ paddingLeft: (depth - 1) * 14 }}
      data-node={node.nodeId}
      tabIndex={isFocused ? 0 : -1}
      aria-level={depth}
      aria-posinset={place}
      aria-setsize={of}
      aria-expanded={below > 0 ? isOpen : undefined}
      aria-selected={isSelected}
    >
      <span className="tree-arrow" aria-hidden="true" onClick={below > 0 ? turn : undefined}>
        {below > 0 && <ChevronRight size={14} />}
      </span>
      <span className="tree-title" dir="auto">
        {visible(node.title) || node.nodeId}
      </span>
      <span className="quiet num nowrap">{pagesText(node.pages)}</span>
    </Link>
  );
}

function itemIn(list: HTMLElement | null, nodeId: string): HTMLElement | null | undefined {
  return list?.querySelector<HTMLElement>(`[data-node="${CSS.escape(nodeId)}"]`);
}

// Scrolls only the box of the tree, not the page.
function showIn(list: HTMLElement | null, nodeId: string): void {
  const item = itemIn(list, nodeId);
  if (list === null || item === null || item === undefined) return;
  const [box, own] = [list.getBoundingClientRect(), item.getBoundingClientRect()];
  if (own.top < box.top || own.bottom > box.bottom) list.scrollTop += own.top - box.top - box.height / 3;
}
