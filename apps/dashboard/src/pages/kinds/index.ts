import type { ShownRun } from '@casefile/contracts';
import { incidentView } from './incident/incident-view.js';
import type { KindView } from './kind-view.js';
import { researchView } from './research/research-view.js';
import { criteriaView } from './policy-check/criteria-view.js';

/** The views that playbooks may declare, by name. */
const VIEWS: Record<string, KindView | undefined> = {
  criteria: criteriaView,
  incident: incidentView,
  research: researchView,
};

const Nothing = () => null;
const COMMON: KindView = { Card: Nothing, Why: Nothing, Brief: Nothing };

/**
 * Returns the view that a run's playbook declares. Default: the common view, also if this release does not
 * have the declared one.
 */
export function shownRunView({ view }: Pick<ShownRun, 'view'>): KindView {
  return (view !== null && Object.hasOwn(VIEWS, view) ? VIEWS[view] : undefined) ?? COMMON;
}
