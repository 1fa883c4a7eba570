import {
  CasefileError,
  type AskedSignal,
  type ChosenOption,
  type AlertInput,
  type Brief,
  type Draft,
  type Alert,
  type Entities,
  type Evidence,
  type EvidenceItem,
  type GivenEvidence,
  type LeftOut,
  type FieldProblem,
  type Json,
  type JsonObject,
  type Measure,
  type ReasoningSwitch,
  type Report,
  type Review,
  type RunSettings,
  type ToolRequest,
  type Outcome,
  type Verdict,
  type VerdictEffect,
  type z,
} from '@casefile/contracts';
import type { ThinkAloud } from './prompts/encourage-reasoning.js';
import type { Options } from './options.js';
import type { Presenting } from './present.js';
import type { StagePorts, StepTools } from './stage-ports.js';
import type { Rules, Strategy } from './strategy.js';

/** What was read out of a text. */
export interface Extraction {
  entities: Entities;
  /** Obfuscations undone, hidden characters found: worth a reader's notice. */
  notes: string[];
}

/** What triage makes of an alert whose substance is its payload. */
export interface Prepared {
  /** What it is about, in words. */
  text: string;
  /** The payload as the later stages need it; goes on the brief. */
  input: JsonObject;
  /** Parts that go through the flow by themselves, by names as in UNIT_NAME; none: the run is one unit. */
  units: string[];
  /** Evidence that the payload hands in; it comes after that of the alert itself. Absent: none. */
  given?: readonly GivenEvidence[];
}

/** What somebody is asked before the work begins. */
export interface Clarification {
  asked: AskedSignal;
  /** How long it is waited for, in milliseconds; then the fallback is taken. */
  waitMs: number;
  /** What is gone on with. */
  settled(chosen: ChosenOption): Prepared;
}

/** What collect plans by. */
export interface PlanInput {
  brief: Brief;
  previous: { draft?: Draft };
  unit: string;
  settings: RunSettings;
}

/** What collect plans by once the first look-ups are in. */
export interface FurtherPlanInput {
  brief: Brief;
  evidence: Evidence;
  settings: RunSettings;
}

/** What collect found in a round, before it is evidence. */
export interface SiftInput {
  brief: Brief;
  settings: RunSettings;
  /** Evidence of the rounds before. */
  known: readonly EvidenceItem[];
  /** What was handed in, in the first round, and what tools answered in this one, in the order of their requests. */
  found: readonly EvidenceItem[];
}

/** What an answer depends on, and how long it is taken over by others that ask the same, in milliseconds. */
export interface SameAnswer {
  key: Json;
  forMs: number;
}

/** What a report is written from: one unit, or one of several. */
export interface WriteInput {
  unit: string;
  brief: Brief;
  evidence: Evidence;
  draft: Draft;
  review: Review;
}

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
  /** Names of the intake formats whose alerts are of this kind, when they do not say; absent: none. S2-40. */
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
  extract(text: string): Extraction;
  /** Language and way of treatment of a text, noted on the brief; `options` are the run's. */
  route?(text: string, options: Record<string, Json>): Promise<Pick<Brief, 'language' | 'mode'>>;
  /** @throws CasefileError where it cannot be worked on before a person has mended something outside the alert. */
  prepare?(alert: Alert, tools: StepTools, settings: RunSettings): Promise<Prepared>;
  /**
   * What is to be asked of somebody before the work begins, where the alert says that somebody may be; null: nothing. It may ask
   * a model, as the first steps of triage; what it throws holds no run, which then goes on as it was prepared. S5-25.
   */
  clarify?(alert: Alert, prepared: Prepared, ports: StagePorts): Promise<Clarification | null>;
  /** Tools it may use, by wire name. */
  tools: readonly string[];
  /** How long collect waits for its tools before what is missing becomes a gap. */
  collectTimeoutMs: number;
  /** When a run has to end with what there is, in milliseconds since the epoch: waits for tools end then too. Absent or null: never. */
  endsBy?(brief: Brief, settings: RunSettings): number | null;
  /** Which tools to ask in a round, beyond each tool about each entity of its types; absent: none. */
  plan?(input: PlanInput): ToolRequest[];
  /** Which tools to ask once those are in, by what they found: look-ups that a runbook asks for; absent: none. */
  planFurther?(input: FurtherPlanInput): ToolRequest[];
  /**
   * Makes evidence of what was found: an answer with many results may become an item each, and what its rules do not take is left
   * out. Ids are given afterwards, on from those that are known. Absent: everything found is evidence as it is.
   */
  sift?(input: SiftInput): { items: EvidenceItem[]; leftOut: LeftOut[] };
  /**
   * Of a run that is one unit: everything that its answer depends on beside the playbook's version. Of live runs that ask the same,
   * one makes the answer and the others take it over. Absent or null: each makes its own. S5-51.
   */
  sameAnswer?(input: FurtherPlanInput): SameAnswer | null;
  /** Every way it can reason, by the name that configuration gives; one of them asks no model. S2-07. */
  strategies: Readonly<Record<string, Strategy>>;
  /** The way it reasons where the configuration names no other. */
  strategy: string;
  /** How it is judged without a model. */
  rules: Rules;
  /** How its prompts that choose tools encourage thinking aloud, with providers that are to be encouraged. S2-08. */
  thinkAloud?: ThinkAloud;
  /** Are models to think before they answer, by kind of prompt? Absent: as their provider's entry says. S2-07. */
  reasoning?: ReasoningSwitch;
  /** How a draft is criticised. */
  reviewer: Reviewer;
  /** One report for the run, whatever it was divided into; a writer may ask a model. */
  write(units: readonly [WriteInput, ...WriteInput[]], ports: StagePorts): Report | Promise<Report>;
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

export interface ReviewInput {
  brief: Brief;
  evidence: Evidence;
  draft: Draft;
  previous: { review?: Review };
}

/** How a draft is criticised. */
export interface Reviewer {
  review(input: ReviewInput, ports: StagePorts): Promise<Outcome<Review>>;
}

/** What came of one unit. */
export interface UnitResult {
  unit: string;
  brief: Brief;
  evidence: Evidence;
  draft: Draft;
  review: Review;
  report: Report;
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
