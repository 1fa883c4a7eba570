import type { AlertInput, CaseDocument, JsonObject, RunSettings } from '@casefile/contracts';

/** What the verdicts of a labelled set depend on besides the settings of their runs. */
export interface EvalKnowledge {
  /** Digest of what a version of a policy says. Default: the current version. null: there is no such version. */
  policyDigest(policyId: string, version?: number): Promise<string | null>;
  /** @throws CasefileError if the file cannot be imported. */
  importPolicy(file: { path: string; policyId: string }): Promise<void>;
  /** Was the current version of the policy made of exactly this file? true where that is not known. */
  isMadeOf(file: { path: string; policyId: string }): Promise<boolean>;
  patternState(): Promise<{ revision: number; patterns: number }>;
  /** The model of the vectors of known patterns; null: it is the system's. */
  embeddingModel: string | null;
}

/** A judged case, as far as an evaluation reads it. */
export type EvalCase = Pick<CaseDocument, 'id' | 'createdAt' | 'runs'>;

/** Where the cases of a labelled set are judged: in a running system, or in this process. */
export interface EvalSystem {
  /** Of each run. */
  settings: RunSettings;
  knowledge: EvalKnowledge;
  /** Judges an alert in a case of its own that stays on the record under the name of the set. */
  judge(alert: AlertInput): Promise<EvalCase>;
  /** Keeps the label of a case with it, as what a person says of its verdict. */
  keepLabel(found: EvalCase, outcome: JsonObject): Promise<void>;
  close(): Promise<void>;
}

/** What every system needs to know of a set. */
export interface EvalRun {
  playbook: string;
  /** The name of the set: its cases are on the record under it. */
  dataset: string;
  /** null: the playbook's own. */
  strategy: string | null;
  signal: AbortSignal;
  note(line: string): void;
}

/** Who gives a label, on the record. */
export function labelledBy(dataset: string): string {
  return `data set ${dataset}`;
}
