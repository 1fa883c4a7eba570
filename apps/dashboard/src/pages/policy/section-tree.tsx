import type { PolicyDocument } from '@casefile/contracts';
import { ChevronRight } from 'lucide-react';
import { useEffect, useRef, useState, type KeyboardEvent, type MouseEvent } from 'react';
import { Link } from 'wouter';
import { visible } from '../../format/visible.js';
import { pagesText, policyAddress } from './policy-address.js';
import { openAtFirst, treeRows, type TreeRow } from './policy-tree.js';

/** The sections of a policy. Arrow keys walk, open and close; enter shows a section. */
export function SectionTree({ policy, selected }: { policy: PolicyDocument; selected: string }) {
  const { nodes } = policy;
  const [open, setOpen] = useState(() => openAtFirst(nodes, selected));
  const [focused, setFocused] = useState(selected);
  const list = useRef<HTMLUListElement>(null);
  useEffect(() => {
    setOpen((before) => new Set([...before, ...openAtFirst(nodes, selected)]));
    setFocused(selected);
    requestAnimationFrame(() => showIn(list.current, selected));
  }, [nodes, selected]);
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
  // The arrow opens and closes; the rest of the row leads to the section.
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

// Within the tree's own box: the page stays where it is.
function showIn(list: HTMLElement | null, nodeId: string): void {
  const item = itemIn(list, nodeId);
  if (list === null || item === null || item === undefined) return;
  const [box, own] = [list.getBoundingClientRect(), item.getBoundingClientRect()];
  if (own.top < box.top || own.bottom > box.bottom) list.scrollTop += own.top - box.top - box.height / 3;
}
