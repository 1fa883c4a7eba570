import type { ShownRun } from '@casefile/contracts';
import type { ComponentType } from 'react';
import { incidentView } from './incident/incident-view.js';
import { researchView } from './research/research-view.js';
import { criteriaView } from './policy-check/criteria-view.js';

type OfRun = ComponentType<{ run: ShownRun }>;

/** What a kind of case shows of a run beyond what every kind does. Each part shows nothing until there is something to show. */
export interface KindView {
  /** Above the alerts of the case. */
  Card: OfRun;
  /** Among the reasons of the verdict, below the steps of the answer. */
  Why: OfRun;
  /** In the brief, below what the alert names. */
  Brief: OfRun;
}

/** The views that playbooks may declare, by name. */
const VIEWS: Record<string, KindView | undefined> = {
  criteria: criteriaView,
  incident: incidentView,
  research: researchView,
};

const Nothing = () => null;
const COMMON: KindView = { Card: Nothing, Why: Nothing, Brief: Nothing };

/** The view that a run's playbook declares; the common one where it declares none, or one that this release does not have. */
export function viewOf({ view }: Pick<ShownRun, 'view'>): KindView {
  return (view !== null && Object.hasOwn(VIEWS, view) ? VIEWS[view] : undefined) ?? COMMON;
}
