import type {
  AlertInput,
  CasefileError,
  Json,
  JsonObject,
  ModelRequest,
  ToolCall,
} from '@casefile/contracts';

/** A tool of a scripted run. */
export interface ScriptedTool {
  /** Types of the values that `fanOut` asks the tool about. Default: none. */
  entityTypes?: readonly string[];
  /** Returns the finding. @throws CasefileError for a look-up without a result. */
  answer(args: JsonObject): Json | Promise<Json>;
}

/** An answer of a scripted model: a text, an object that becomes JSON, or an error. */
export type ModelAnswer = string | JsonObject | CasefileError;

/** Answers for a run, and the settings that differ from the defaults of the kind. */
export interface Script {
  /** Answers of the model, one per call, or a function that returns them. Default: no model. */
  model?: readonly ModelAnswer[] | ((request: ModelRequest) => ModelAnswer);
  /** Tools by wire name. A tool that is not listed gives no result. */
  tools?: Readonly<Record<string, ScriptedTool>>;
  /** Default: the strategy of the playbook. */
  strategy?: string;
  /** Options that differ from the defaults of the playbook. */
  options?: JsonObject;
}

/** A call of a model or a tool, with its answer. */
export interface RecordedAnswer {
  /** Unit, stage, round and step of the call. */
  at: string;
  request: ModelRequest | Pick<ToolCall, 'tool' | 'args'>;
  answer: { value: unknown } | { error: CasefileError };
}

/** Input and answers of a run, from which it can be repeated. */
export interface RunRecord {
  alert: AlertInput;
  script: Script;
  answers: readonly RecordedAnswer[];
}
