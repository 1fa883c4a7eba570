import type {
  AlertInput,
  Brief,
  Draft,
  Alert,
  Entities,
  Evidence,
  FieldProblem,
  Json,
  JsonObject,
  ReasoningSwitch,
  Report,
  Review,
  RunSettings,
  ToolRequest,
} from '@casefile/contracts';
import type { ThinkAloud } from './prompts/encourage-reasoning.js';
import type { Controller } from './react/controller.js';
import type { StepTools } from './stage-ports.js';
import type { AnswerPrompt, ReasonInput } from './strategy.js';

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
}

/** What collect plans by. */
export interface PlanInput {
  brief: Brief;
  previous: { draft?: Draft };
  unit: string;
  settings: RunSettings;
}

/** What a report is written from: one unit, or one of several. */
export interface WriteInput {
  unit: string;
  brief: Brief;
  evidence: Evidence;
  draft: Draft;
  review: Review;
}

/** A kind of case. Everything that differs between kinds is here, everything else is the flow's. */
export interface Playbook {
  name: string;
  /** Raised when its behaviour changes: part of a run's frozen settings. */
  version: string;
  /** Is this alert one of this kind, when it does not say? */
  matches(alert: AlertInput): boolean;
  /** Rules of this kind on an alert, beyond those of intake. */
  validate(alert: AlertInput): FieldProblem[];
  /** Do repeats join one case by fingerprint? Else only an Idempotency-Key does. */
  joinsRepeats: boolean;
  /** A repeat opens a new run of a decided case after this time. */
  holdOffMs: number;
  extract(text: string): Extraction;
  /** Language and way of treatment of a text, noted on the brief; `options` are the run's. */
  route?(text: string, options: Record<string, Json>): Promise<Pick<Brief, 'language' | 'mode'>>;
  /** @throws CasefileError where it cannot be worked on before a person has mended something outside the alert. */
  prepare?(alert: Alert, tools: StepTools): Promise<Prepared>;
  /** Tools it may use, by wire name. */
  tools: readonly string[];
  /** How long collect waits for its tools before what is missing becomes a gap. */
  collectTimeoutMs: number;
  /** Which tools to ask in a round, beyond each tool about each entity of its types; absent: none. */
  plan?(input: PlanInput): ToolRequest[];
  /** The way it reasons where the configuration names no other: one of `strategies`. */
  strategy: string;
  /** Names in the list of strategies: every way it can reason, one of them without a model. S2-07. */
  strategies: readonly string[];
  /** Its answer without a model: a strategy of its own, and what it falls back to. */
  heuristic(input: ReasonInput, unit: string, settings: RunSettings): Omit<Draft, 'strategy' | 'promptId'>;
  /** Its answer where a model was to judge and could not; absent: its answer without a model. S3-41. */
  afterFailure?: Playbook['heuristic'];
  /** For strategies that ask for one answer. */
  answer?: AnswerPrompt;
  /** For strategies whose question depends on the brief's mode: one for each. */
  answers?: Record<string, AnswerPrompt>;
  /** For strategies that let a model choose its tools turn by turn. */
  controller?: Controller;
  /** How its prompts that choose tools encourage thinking aloud, with providers that are to be encouraged. S2-08. */
  thinkAloud?: ThinkAloud;
  /** Are models to think before they answer, by kind of prompt? Absent: as their provider's entry says. S2-07. */
  reasoning?: ReasoningSwitch;
  /** Name in the list of reviewers. */
  reviewer: string;
  /** One report for the run, whatever it was divided into. */
  write(units: readonly [WriteInput, ...WriteInput[]], settings: RunSettings): Report;
  /** Name in the list of policies. */
  policy: string;
  maxRounds: number;
  onOutage: RunSettings['onOutage'];
  /** Default figures: thresholds, deadlines. Configuration may lay others over them. */
  options: Record<string, Json>;
  /** Laid over them where NODE_ENV is `production`, below configuration. */
  optionsInProduction?: Record<string, Json>;
  /** Are these figures, laid over the default ones, valid? @throws InvalidInput that names every wrong one. */
  checkOptions?(options: Record<string, Json>): void;
}
