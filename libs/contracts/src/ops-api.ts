// What the ops API answers, below `/api/v1`. Fields are only ever added.
import type { Alert, AlertImage, EvidenceItem, Verdict } from './artifacts/index.js';
import type { Lane } from './job.js';
import type { BudgetMeasure } from './ports/budgets.js';
import type { ModelUsage } from './ports/language-model.js';
import type { ModelSpend, VerdictFigures } from './ports/pipeline-figures.js';
import type { PolicyNode, PolicySection, PolicyVersion } from './ports/policies.js';
import type { CircuitState } from './ports/provider-states.js';
import type { CaseDocument, CaseRecord, CaseSummary, DeadLetter, RunDocument } from './record.js';
import type { CaseStatus, RunStatus } from './status.js';

/** The facts of a verdict that a list shows. */
export interface VerdictBrief extends Pick<
  Verdict,
  'disposition' | 'confidence' | 'confidenceSource' | 'method' | 'degraded' | 'decidedAt'
> {
  /** `outcome.action`; null where the playbook's outcome has none. */
  action: string | null;
  /** Of the playbook's outcome what is short: numbers, truths, and texts of up to 100 characters. */
  outcome: Record<string, string | number | boolean>;
}

/** A case in a list, with the facts of its newest run. */
export interface CaseListEntry {
  caseId: string;
  playbook: string;
  status: CaseStatus;
  lane: Lane | null;
  runId: string | null;
  runStatus: RunStatus | null;
  /** Where the run is due or was stopped; null when decided. */
  stage: string | null;
  round: number | null;
  /** The first characters of the newest alert's text. */
  text: string;
  alertCount: number;
  createdAt: string;
  updatedAt: string;
  verdict: VerdictBrief | null;
  /** Model calls of the newest run, in US dollars. */
  costUsd: number;
  /** Has any of its model calls reasoning on the record? */
  hasReasoning: boolean;
}

/** `GET /cases`. */
export interface CaseList {
  cases: CaseListEntry[];
  /** null on the last page. */
  nextCursor: string | null;
  /** The same cases, as the first clients read them. */
  items: CaseSummary[];
}

/** What the model calls of a run came to. */
export interface RunCost extends ModelUsage {
  /** Sum of what is known, in US dollars. */
  usd: number;
  interactions: number;
  /** Interactions whose price is not known: `usd` is without them. */
  unpriced: number;
}

// `Omit` would lose the names of all fields, for an alert may have others besides.
type AlertWithoutImage = { [K in keyof Alert as K extends 'image' ? never : K]: Alert[K] };

/** An alert as it is shown: an image by its address instead of its bytes. */
export interface ShownAlert extends AlertWithoutImage {
  image?: Pick<AlertImage, 'mediaType'> & {
    /** Path on this server. */
    url: string;
    /** Size in bytes. */
    bytes: number;
  };
}

export interface ShownRun extends RunDocument {
  /** Items of the newest round. */
  evidence: EvidenceItem[];
  /** Those of `evidence` that no tool could answer. */
  gaps: EvidenceItem[];
  cost: RunCost;
}

/** `GET /cases/{caseId}`: one case as one document. */
export interface ShownCase extends CaseRecord, Omit<CaseDocument, 'alerts' | 'runs'> {
  caseId: string;
  alerts: ShownAlert[];
  runs: ShownRun[];
  /** All runs together. */
  cost: RunCost;
}

/** One queue of a stage or tool, and what was done from it. */
export interface LaneFigures {
  /** `bulk`: the lanes shadow, replay and batch. */
  lane: 'live' | 'bulk';
  waiting: number;
  active: number;
  delayed: number;
  /** Age of the oldest waiting job in milliseconds, null when none waits. */
  oldestAgeMs: number | null;
  ratePerMinute: number;
  failuresLastHour: number;
}

/** A provider that has failed at some time; one that never did is not listed. */
export interface ProviderFigures {
  provider: string;
  state: CircuitState;
  /** Of the failure that opened the circuit, or of the last one. */
  reasonCode: string | null;
  /** Failures in a row. */
  failures: number;
  /** When it is tried again. */
  until: string | null;
}

/** One window of one budget. */
export interface BudgetFigures {
  key: string;
  /** A day, or `all`. */
  window: string;
  measure: BudgetMeasure;
  /** In the measure: millionths of a US dollar, or tokens. */
  limit: number;
  spent: number;
  reserved: number;
  /** In US dollars; 0 for a budget of tokens. */
  limitUsd: number;
  spentUsd: number;
  reservedUsd: number;
}

/** `GET /pipeline`. */
export interface PipelineView {
  /** In the order of the flow. */
  stages: { stage: string; app: string; lanes: LaneFigures[] }[];
  tools: { tool: string; lanes: LaneFigures[] }[];
  /** Of the last 24 hours. */
  models: ModelSpend[];
  verdicts: VerdictFigures;
  providers: ProviderFigures[];
  budgets: BudgetFigures[];
  deadLetters: number;
  /** Unfinished runs. */
  backlog: number;
  at: string;
}

/** `GET /dead-letters`. */
export interface DeadLetterList {
  deadLetters: DeadLetter[];
  nextCursor: string | null;
  /** The same, as the first clients read them. */
  items: DeadLetter[];
}

/** An error as RFC 9457 has it, with the fields that are wrong where there are any. */
export interface ProblemBody {
  type: string;
  title: string;
  status: number;
  detail: string;
  reasonCode: string;
  errors?: { path: string; message: string }[];
}

/** `POST /dead-letters/redrive` and `/drop`: what became of each. */
export interface DeadLetterResults {
  results: ({ id: string } & (
    { kind: DeadLetter['kind']; caseId: string | null } | { problem: ProblemBody }
  ))[];
}

/** `POST /dead-letters/redrive`: exactly one of the three. */
export interface RedriveRequest {
  ids?: string[];
  /** All that a list with these filters shows. */
  filter?: { q?: string; reason?: string };
  all?: true;
}

/** `POST /alerts`. */
export interface AcceptedAlert {
  alertId: string;
  caseId: string;
  runId: string;
  joined: boolean;
}

/** `GET /playbooks`. */
export interface PlaybookList {
  playbooks: {
    name: string;
    title: string;
    version: string;
    /** What an alert of this kind may consist of; one of them is enough. */
    takes: ('text' | 'image' | 'payload')[];
    tools: string[];
  }[];
}

/** `GET /policies`. */
export interface PolicyList {
  /** The current version of each, in the order of their ids. */
  policies: PolicyVersion[];
}

/** `GET /policies/{policyId}/versions/{version}`: one version with its tree. */
export interface PolicyDocument extends PolicyVersion {
  /** Another one when a later text was imported, or an earlier one restored. */
  currentVersion: number;
  /** In the order of the document. */
  nodes: PolicyNode[];
}

/** `GET /policies/{policyId}/versions/{version}/sections`. */
export interface PolicySections {
  policyId: string;
  version: number;
  /** Those that were asked for, in the order of the document. */
  sections: PolicySection[];
  /** Asked for, and not in this version. */
  unknownNodes: string[];
}

/** `GET /meta`. */
export interface Meta {
  version: string;
  /** `none`: heuristics only. */
  provider: string;
  model: string | null;
  /** Scripted answers instead of a model's. */
  isSimulator: boolean;
  startedAt: string;
  /** Names of what this server can do, for clients that know older ones. */
  capabilities: string[];
}
