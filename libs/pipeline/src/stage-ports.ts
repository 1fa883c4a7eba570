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

/** Which run, unit and round a stage works on, and the settings it was frozen with. */
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
  /** Is there a provider for this run at all? */
  readonly available: boolean;
  /** Does the record have the answer of a step, so that to call it is to read? */
  recorded(step: number): boolean;
  /** Drawn once for this unit, stage and round; the same after a crash. */
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
  /** Where a tool runs; null: there is no tool of that name. */
  locality(tool: string): 'local' | 'remote' | null;
  /** Entity types a tool is asked about in a plain fan-out. */
  entityTypes(tool: string): readonly string[];
  /**
   * Description of a tool for the model, and its arguments; null if there is no tool of that name. A tool of an outside server is
   * described as the run was frozen with it, also where this process does not have it; `parameters` is then its JSON Schema,
   * to be offered unchanged.
   */
  describe(tool: string): { description: string; asks: z.ZodType; parameters?: JsonObject } | null;
  /** Tools of outside servers that the run's settings name: those that can be used now, and those that cannot. */
  offers(): ToolOffers;
  /** Runs local tools inside the stage; recorded with its next write, read from the record when they are there. */
  inline(step: number, requests: ToolRequest[]): Promise<ToolCall[]>;
  /** The recorded calls of a step, by sequence. */
  recorded(step: number): ToolCall[];
}

/** What people choose for a stage that asks them. */
export interface StepSignals {
  /** The option chosen at a step, or the fallback if no answer came in time; null: still waiting. */
  chosen(step: number, asked: AskedSignal): ChosenOption | null;
}

/** Answers that runs reuse from one another. */
export interface SharedAnswers {
  /** Who answers what this key stands for; it is good for so long, in milliseconds. */
  take(key: string, forMs: number): Promise<AnswerTaken>;
  /** The last artifact of a name of the run whose answer is reused. @throws CasefileError `evidence_miss`. */
  artifact<N extends ArtifactName>(runId: string, name: N): Promise<ArtifactOf<N>>;
}

/** All that a stage can reach: nothing else has side effects. */
export interface StagePorts {
  run: RunContext;
  /**
   * When the sender said that the newest occurrence of the case is over, ISO 8601, as of now; null: it did not, or it fires
   * again, or alerts of this kind have no end. S2-40.
   */
  resolvedAt(): Promise<string | null>;
  model: StepModel;
  signals: StepSignals;
  answers: SharedAnswers;
  tools: StepTools;
  reader: TextReader;
  /** The texts that its prompts are rendered from. */
  prompts: PromptTexts;
  clock: Clock;
  log: Logger;
  /** Aborted when the lease is lost or the process stops. */
  signal: AbortSignal;
}
