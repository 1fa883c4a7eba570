import {
  CasefileError,
  type AlertInput,
  type Draft,
  type FieldProblem,
  type JsonObject,
  type Measure,
  type ReasoningSwitch,
  type RunSettings,
  type Verdict,
  type VerdictEffect,
  type z,
} from '@casefile/contracts';
import type { ThinkAloud } from './prompts/encourage-reasoning.js';
import type { Options } from './options.js';
import type { Presenting } from './present.js';
import type { Collect, Critique, Triage, UnitResult, Write } from './stage-parts.js';
import type { Strategy } from './strategy.js';

/** An alert of a kind of case, and a verdict that may come of it. */
export interface KindExample {
  alert: AlertInput;
  verdict: Verdict;
}

/** The trouble that an alert tells of. */
export interface Occurrence {
  /** Alerts of one key are one case. */
  key: string;
  /** ISO 8601: when it started, which tells it from the next time; null: the sender does not say. */
  startedAt: string | null;
  /** The sender says that it is over. */
  resolved: boolean;
}

/** An address of its own at the intake, at which a payload is posted and what comes of it may be waited for. */
export interface AskedAt {
  /** Such as `/v1/parcels`. */
  path: string;
  /** In the document of the intake. */
  summary: string;
  body: z.ZodType;
  example: JsonObject;
  /** What a verdict hands out to whoever waits. */
  answer: z.ZodObject;
  handsOut(verdict: Verdict): JsonObject;
}

/** A kind of case. Everything that differs between kinds is here, everything else is the flow's. */
export interface Playbook {
  name: string;
  /** Raised when its behaviour changes: part of a run's frozen settings. */
  version: string;
  /** Is this alert one of this kind, when it does not say? */
  matches(alert: AlertInput): boolean;
  /**
   * Does an alert that does not say ask for this kind in words that stand for it? Looked at before what any kind matches.
   * @param options As a new run would be frozen with.
   */
  triggers?(alert: AlertInput, options: JsonObject): boolean;
  /** Rules of this kind on an alert, beyond those of intake. */
  validate(alert: AlertInput): FieldProblem[];
  /** Do repeats join one case by fingerprint? Else only an Idempotency-Key does. */
  joinsRepeats: boolean;
  /** A repeat opens a new run of a decided case after this time. */
  holdOffMs: number;
  /**
   * Names of the intake formats whose alerts are of this kind, when they do not say, and of the senders that a webhook may name
   * as its preset; absent: none.
   */
  takes?: readonly string[];
  /** Where its payload alone is posted by those who wait for what comes of it; absent: nowhere. */
  asked?: AskedAt;
  /**
   * Which trouble an alert tells of, where its sender tells one time that it was there from the next; absent or null:
   * the alert as a whole says what is the same, and the hold-off counts. S2-40.
   */
  occurrence?(alert: AlertInput): Occurrence | null;
  /** Runs that the occurrences of one case open within an hour at most; past it they are noted on it. Absent: 6. */
  mostRunsPerHour?: number;
  /** What is taken out of its alerts before they go on the record; absent: nothing. S2-48. */
  masks?: 'secrets';
  /**
   * The fields of an outcome that decide, each with its values: in which a person says what it should have been. Absent: a
   * person agrees, or says nothing. S4-59.
   */
  judged?: z.ZodObject;
  /** Reads the alert. */
  triage: Triage;
  /** Tools that it may use, by wire name. */
  tools: readonly string[];
  /** Collects evidence. */
  collect: Collect;
  /** Every way it can reason, by the name that configuration gives; one of them asks no model. S2-07. */
  strategies: Readonly<Record<string, Strategy>>;
  /** The way it reasons where the configuration names no other. */
  strategy: string;
  /** How its prompts that choose tools encourage thinking aloud, with providers that are to be encouraged. S2-08. */
  thinkAloud?: ThinkAloud;
  /** Are models to think before they answer, by kind of prompt? Absent: as their provider's entry says. S2-07. */
  reasoning?: ReasoningSwitch;
  /** Criticises a draft. */
  critique: Critique;
  /** Writes the report; it may ask a model. */
  write: Write;
  /** How results become the verdict. */
  decision: DecisionRule;
  /** What a verdict does beyond being said, written in its transaction in lanes with an outward effect; absent: nothing. */
  effects?(verdict: Verdict): VerdictEffect[];
  /**
   * A verdict as it leaves Casefile; the record keeps the whole. Absent: as it is on the record.
   * @param opened The stage of the session that it opened or continued; null: it did neither.
   */
  outwardVerdict?(verdict: Verdict, opened: string | null): Verdict;
  /** Figures of a draft by which the kind is watched, beside those of every kind; reported once it is on the record. */
  measures?(draft: Draft): Measure[];
  /** How its verdicts are shown. */
  presenting: Presenting;
  /** Shown by API documents; absent: they show that of another kind. */
  example?: KindExample;
  maxRounds: number;
  onOutage: RunSettings['onOutage'];
  /** Thresholds, deadlines and other figures that configuration may set. */
  options: Options;
  /**
   * The options that a file of settings of the user's says, in a form of its own; absent: it reads none.
   * @throws InvalidInput that names each wrong key as it is written in the file.
   */
  readSettingsFile?(file: unknown): JsonObject;
}

/** A playbook as it is written down: that its own strategy is one of its strategies is checked by the compiler. */
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

/** Turns results into the verdict: thresholds are code and settings, never a model's word. */
export interface DecisionRule {
  /** Stands in the settings of each run. */
  name: string;
  /** What a verdict opens is known by the id of its run; what it hands out, by that of its case. */
  decide(
    units: UnitResult[],
    settings: RunSettings,
    decidedAt: string,
    runId?: string,
    caseId?: string,
  ): Verdict;
}
