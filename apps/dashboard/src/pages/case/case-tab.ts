import { t } from '../../strings/text.js';
import type { ShownRun } from '@casefile/contracts';
import { evidencePlace, evidenceSources } from './evidence-places.js';
import { isStep } from './timeline.js';

/** Tabs of the page of a case, with their names. */
export const CASE_TABS = [
  ['answer', t('case.answer')],
  ['trace', t('case.trace')],
  ['history', t('case.history')],
  ['raw', t('case.raw')],
] as const;
export type CaseTab = (typeof CASE_TABS)[number][0];

/**
 * Returns the tab to show: the one of the address, or the first that has the element to which the address points.
 * @param asked The tab in the address; null: none.
 * @param target The element id in the address; '': none.
 */
export function caseTab(asked: string | null, target: string, run: ShownRun): CaseTab {
  const named = CASE_TABS.find(([tab]) => tab === asked)?.[0] ?? 'answer';
  const showing = tabsShowing(target, run);
  const [first = named] = showing;
  return showing.includes(named) ? named : first;
}

function tabsShowing(target: string, run: ShownRun): CaseTab[] {
  if (target === '') return [];
  if (target === 'verdict' || target.startsWith('alert-')) return ['answer'];
  const isEvidence = evidenceSources(run).some(({ unit, item }) => evidencePlace(unit, item.id) === target);
  const isCited = run.artifacts.some(
    ({ artifact, body }) => artifact === 'draft' && citesCall(body['read'], target),
  );
  return [
    ...(isEvidence || isCited ? ['answer' as const] : []),
    ...(isStep(run, target) ? ['trace' as const] : []),
  ];
}

function citesCall(read: unknown, target: string): boolean {
  return (
    Array.isArray(read) &&
    read.some((one: { toolCallId?: unknown }) => `tool-${String(one.toolCallId)}` === target)
  );
}
