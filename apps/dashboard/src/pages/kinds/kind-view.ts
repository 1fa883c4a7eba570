import type { ShownRun } from '@casefile/contracts';
import type { ComponentType } from 'react';

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
