import { CasefileError, type ReasoningSwitch, type RunSettings, type Verdict } from '@casefile/contracts';
import type { Options } from './options.js';
import type { Intake } from './parts/intake.js';
import type { Outward } from './parts/outward.js';
import type { Presenting } from './present.js';
import type { Collect, Critique, Triage, UnitResult, Write } from './stage-parts.js';
import type { Strategy } from './strategy.js';

/**
 * A kind of case. All differences between kinds are here. A part that only one kind needs is a wrapper in its
 * folder.
 */
export interface Playbook {
  name: string;
  /** Part of a run's frozen settings. Raise it when the behaviour of the playbook changes. */
  version: string;
  intake: Intake;
  /** Reads the alert. */
  triage: Triage;
  /** Wire names of the tools that a run may ask. */
  tools: readonly string[];
  /** Collects evidence. */
  collect: Collect;
  /** Every way to reason, by its name in the configuration. At least one asks no model. */
  strategies: Readonly<Record<string, Strategy>>;
  /** The strategy of runs whose configuration names none. */
  strategy: string;
  /** Whether models think before they answer. `as-provider`: according to the provider's entry. */
  thinking: ReasoningSwitch | 'as-provider';
  /**
   * Most times that a run may reason. Outcomes of a playbook with several rounds have `rounds` and
   * `notConverged`, which the pipeline page shows.
   */
  maxRounds: number;
  onOutage: RunSettings['onOutage'];
  /** Criticises a draft. */
  critique: Critique;
  /** Writes the report; it may ask a model. */
  write: Write;
  /** Makes the verdict from the results. */
  decision: DecisionRule;
  /** Returns the parts of a verdict that leave Casefile. */
  outward(verdict: Verdict): Outward;
  /** Rules for displaying its verdicts. */
  presenting: Presenting;
  /** Limits, deadlines and other values that configuration may set. */
  options: Options;
}

/** A playbook as written: the compiler checks that the default strategy is one of the strategies. */
type PlaybookSpec<S extends string> = Omit<Playbook, 'strategies' | 'strategy'> & {
  strategies: Readonly<Record<S, Strategy>>;
  strategy: NoInfer<S>;
};

/** Creates a playbook from its parts. */
export function definePlaybook<S extends string>(spec: PlaybookSpec<S>): Playbook {
  return spec;
}

/**
 * Returns a playbook's strategy by name. @throws CasefileError `unknown_strategy` that lists the known ones.
 */
export function playbookStrategy({ strategies }: Pick<Playbook, 'strategies'>, name: string): Strategy {
  const strategy = Object.hasOwn(strategies, name) ? strategies[name] : undefined;
  if (strategy !== undefined) return strategy;
  const known = Object.keys(strategies).join(', ');
  throw new CasefileError('unknown_strategy', `There is no strategy "${name}". Known: ${known}.`);
}

/** Marks rules that `decisionRule` created, so that no verdict forgets what was missing. */
export const MADE_BY_RULE = Symbol.for('casefile-decision-rule');

/** Makes the verdict from the results. Thresholds are code and settings, never the words of a model. */
export interface DecisionRule {
  readonly [MADE_BY_RULE]: true;
  /** Part of the settings of each run. */
  name: string;
  /** `runId` identifies what the verdict opens; `caseId` identifies the verdict for its sender. */
  decide(
    units: UnitResult[],
    settings: RunSettings,
    decidedAt: string,
    runId?: string,
    caseId?: string,
  ): Verdict;
}
