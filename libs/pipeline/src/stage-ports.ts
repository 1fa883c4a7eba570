import type {
  AnswerTaken,
  ArtifactName,
  ArtifactOf,
  AskedSignal,
  ChosenOption,
  Clock,
  Draw,
  JsonObject,
  Lane,
  Logger,
  ModelRequest,
  ModelResponse,
  RunSettings,
  TextReader,
  ToolCall,
  ToolOffers,
  ToolRequest,
  z,
} from '@casefile/contracts';
import type { PromptTexts } from './prompts/prompt.js';

/** Run, unit and round that a stage works on, and the frozen settings of the run. */
export interface RunContext {
  runId: string;
  caseId: string;
  lane: Lane;
  unit: string;
  round: number;
  settings: RunSettings;
}

/**
 * The journalled model of one stage. A step with a recorded answer is read from the record; any
 * other writes its intent first. Steps are numbered by the strategy and mean the same on every rendering.
 */
export interface StepModel {
  /** Whether this run has a provider. */
  readonly available: boolean;
  /** Returns whether the record has the answer of a step, so that the call only reads it. */
  recorded(step: number): boolean;
  /** Returns the random draw of this unit, stage and round. It is the same after a crash. */
  draw(deadlineMs: number | null): Draw;
  /**
   * One attempt at one step. `deadlineAt` (milliseconds since the epoch) ends the call with `timeout`;
   * when it has passed no call is made.
   * @throws CasefileError with a reason code of the LanguageModel port.
   */
  call(step: number, request: ModelRequest, deadlineAt: number | null): Promise<ModelResponse>;
}

/** Tool calls of one stage. */
export interface StepTools {
  /** Returns where a tool runs; null: there is no tool of that name. */
  locality(tool: string): 'local' | 'remote' | null;
  /** Returns the entity types that a plain fan-out asks a tool about. */
  entityTypes(tool: string): readonly string[];
  /**
   * Returns a tool's description for the model and its arguments; null if there is no tool of that name. A
   * tool of an outside server has the description frozen with the run, even if this process does not have the
   * tool. Its `parameters` are the JSON Schema, offered unchanged.
   */
  describe(tool: string): { description: string; asks: z.ZodType; parameters?: JsonObject } | null;
  /** Tools of outside servers that the run's settings name: those that can be used now, and those that cannot. */
  offers(): ToolOffers;
  /**
   * Runs local tools inside the stage. The next write records their calls. Recorded calls are read instead.
   */
  inline(step: number, requests: ToolRequest[]): Promise<ToolCall[]>;
  /** The recorded calls of a step, by sequence. */
  recorded(step: number): ToolCall[];
}

/** Choices of people for a stage that asks them. */
export interface StepSignals {
  /** Returns the option chosen at a step, or the fallback if no answer came in time; null: still waiting. */
  chosen(step: number, question: AskedSignal): ChosenOption | null;
}

/** Answers that runs reuse from each other. */
export interface SharedAnswers {
  /** Decides which run makes the answer for this key. The answer is valid for `forMs` milliseconds. */
  take(key: string, forMs: number): Promise<AnswerTaken>;
  /**
   * Returns the last artifact of this name of the run whose answer is reused. @throws CasefileError
   * `evidence_miss`.
   */
  artifact<N extends ArtifactName>(runId: string, name: N): Promise<ArtifactOf<N>>;
}

/** Everything that a stage can access. A stage has no other side effects. */
export interface StagePorts {
  run: RunContext;
  /**
   * Returns when the sender reported the newest occurrence as over (ISO 8601, current state). null: not
   * reported, firing again, or alerts of this playbook have no end.
   */
  resolvedAt(): Promise<string | null>;
  model: StepModel;
  signals: StepSignals;
  answers: SharedAnswers;
  tools: StepTools;
  reader: TextReader;
  /**
   * Returns a text with its secrets masked, for text that is readable only in a stage: of images and of encoded
   * parts of a mail. Intake masks the alert itself. @throws CasefileError `too_large`.
   */
  withoutSecrets(text: string): Promise<string>;
  /** Texts from which its prompts are rendered. */
  prompts: PromptTexts;
  clock: Clock;
  log: Logger;
  /** Aborted when the lease is lost or the process stops. */
  signal: AbortSignal;
}
