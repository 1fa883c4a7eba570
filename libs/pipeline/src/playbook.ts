import { CasefileError, type ReasoningSwitch, type RunSettings, type Verdict } from '@casefile/contracts';
import type { Options } from './options.js';
import type { Intake } from './parts/intake.js';
import type { Outward } from './parts/outward.js';
import type { Presenting } from './present.js';
import type { Collect, Critique, Triage, UnitResult, Write } from './stage-parts.js';
import type { Strategy } from './strategy.js';

/** A kind of case. Everything in which kinds differ is here; a part that one kind needs is a wrapper in its folder. */
export interface Playbook {
  name: string;
  /** Part of a run's frozen settings: raise it when the behaviour of the kind changes. */
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
  /** Whether models think before they answer. `as-provider`: as the entry of their provider says. */
  thinking: ReasoningSwitch | 'as-provider';
  /**
   * How often a run may reason at most. Outcomes of a kind with several rounds say `rounds` and `notConverged`, of which the
   * pipeline page shows figures.
   */
  maxRounds: number;
  onOutage: RunSettings['onOutage'];
  /** Criticises a draft. */
  critique: Critique;
  /** Writes the report; it may ask a model. */
  write: Write;
  /** Makes the verdict of the results. */
  decision: DecisionRule;
  /** What leaves Casefile with a verdict. */
  outward(verdict: Verdict): Outward;
  /** How its verdicts are shown. */
  presenting: Presenting;
  /** Limits, deadlines and other values that configuration may set. */
  options: Options;
}

/** A playbook as it is written: the compiler checks that the default strategy is one of the strategies. */
type PlaybookSpec<S extends string> = Omit<Playbook, 'strategies' | 'strategy'> & {
  strategies: Readonly<Record<S, Strategy>>;
  strategy: NoInfer<S>;
};

/** Makes a playbook of its parts. */
export function definePlaybook<S extends string>(spec: PlaybookSpec<S>): Playbook {
  return spec;
}

/** The strategy of a name among those that a playbook offers. @throws CasefileError `unknown_strategy` that lists those. */
export function strategyOf({ strategies }: Pick<Playbook, 'strategies'>, name: string): Strategy {
  const found = Object.hasOwn(strategies, name) ? strategies[name] : undefined;
  if (found !== undefined) return found;
  const known = Object.keys(strategies).join(', ');
  throw new CasefileError('unknown_strategy', `There is no strategy "${name}". Known: ${known}.`);
}

/** Makes the verdict of the results: thresholds are code and settings, never the words of a model. */
export interface DecisionRule {
  /** Part of the settings of each run. */
  name: string;
  /** The id of the run identifies what a verdict opens, the id of the case what it returns. */
  decide(
    units: UnitResult[],
    settings: RunSettings,
    decidedAt: string,
    runId?: string,
    caseId?: string,
  ): Verdict;
}
