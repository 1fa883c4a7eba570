import type { AlertInput, CaseDocument, JsonObject, RunSettings } from '@casefile/contracts';

/** Knowledge that the verdicts of a labelled set depend on besides the settings of their runs. */
export interface EvalKnowledge {
  /**
   * Returns a digest of a policy version's content. Default: the current version. null: there is no such
   * version.
   */
  policyDigest(policyId: string, version?: number): Promise<string | null>;
  /** @throws CasefileError if the file cannot be imported. */
  importPolicy(file: { path: string; policyId: string }): Promise<void>;
  /**
   * Returns whether the current version was made from exactly this file. true also if the system cannot tell.
   */
  isMadeOf(file: { path: string; policyId: string }): Promise<boolean>;
  patternState(): Promise<{ revision: number; patterns: number }>;
  /** Model of the vectors of known patterns; null: the system chooses. */
  embeddingModel: string | null;
}

/** The fields of a judged case that an evaluation reads. */
export type EvalCase = Pick<CaseDocument, 'id' | 'createdAt' | 'runs'>;

/** The system that judges the cases of a labelled set: a running system, or this process. */
export interface EvalSystem {
  /** Settings of each run. */
  settings: RunSettings;
  knowledge: EvalKnowledge;
  /** Judges an alert in its own case, which stays on the record under the name of the set. */
  judge(alert: AlertInput): Promise<EvalCase>;
  /** Stores the label with the case, as feedback on its verdict. */
  keepLabel(evalCase: EvalCase, outcome: JsonObject): Promise<void>;
  close(): Promise<void>;
}

/** Facts about the set that every system needs. */
export interface EvalRun {
  playbook: string;
  /** Name of the set. Its cases are on the record under this name. */
  dataset: string;
  /** null: the playbook's own strategy. */
  strategy: string | null;
  signal: AbortSignal;
  note(line: string): void;
}

/** Returns the author of a label on the record. */
export function labelledBy(dataset: string): string {
  return `data set ${dataset}`;
}
