import type { ShownRun } from '@casefile/contracts';
import type { ComponentType } from 'react';

type OfRun = ComponentType<{ run: ShownRun }>;

/**
 * Parts of a run's page that are specific to one kind of case. Each part renders nothing until it has
 * content.
 */
export interface KindView {
  /** Above the alerts of the case. */
  Card: OfRun;
  /** Among the reasons of the verdict, below the steps of the answer. */
  Why: OfRun;
  /** Shown in the brief, below what the alert names. */
  Brief: OfRun;
}
