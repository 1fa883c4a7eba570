// Everything that a kind of case from outside can import.
export { defineKind, type ExampleCase, type Kind, type KindCommandLine, type KindSpec } from './kind.js';
export type { KindSamples } from './command-line/kind-samples.js';
export type { RunSection } from './command-line/run-section.js';
export type { KindAnswers } from './demonstration/kind-answers.js';
export { isUnseen, refuseLimit, spread } from './evaluation/dataset.js';
export type {
  Dataset,
  DatasetKind,
  DatasetOptions,
  EvaluationOption,
  ItemResult,
  Line,
  Measures,
  NamedSet,
} from './evaluation/dataset.js';
export type { EvalCase } from './evaluation/eval-system.js';
export { evaluationByField } from './evaluation/by-field.js';
export { wilson95, type Interval } from './evaluation/figures.js';
export type { Mark } from './evaluation/marks.js';
export { readLines } from './evaluation/read-lines.js';
export { evalCaseReport } from './evaluation/report-text.js';
export { intervalRate, table } from './evaluation/tables.js';
export { readAlerts } from './files/alert-file.js';
export {
  CasefileError,
  defineTool,
  degradationOf,
  degradedCauseOf,
  done,
  fieldProblems,
  InvalidInput,
  isObject,
  later,
  lookUpsOf,
  parseInput,
  reasonCodeOf,
  revise,
  search,
  secretVariable,
  urlVariable,
  z,
} from '@casefile/contracts';
export type {
  Alert,
  AlertInput,
  Brief,
  Draft,
  Evidence,
  EvidenceItem,
  FieldProblem,
  Finding,
  Json,
  JsonObject,
  Outcome,
  Question,
  ReadAnswer,
  Report,
  Review,
  RunSettings,
  ToolDefinition,
  ToolRequest,
  Verdict,
  VerdictEffect,
} from '@casefile/contracts';
export {
  asRecorded,
  buildReport,
  byRules,
  confidenceScale,
  decisionRule,
  defineOptions,
  definePlaybook,
  definePrompt,
  drawMark,
  fanOut,
  fencedText,
  fromPayload,
  fromText,
  groundedQuestions,
  inertText,
  inLine,
  ladderOf,
  listSection,
  lookUps,
  matching,
  mechanical,
  neverRepeated,
  readObject,
  sameContent,
  singleShot,
  toolWaitOf,
  toolWaitOption,
  withSettingsItems,
  wordOf,
} from '@casefile/pipeline';
export type {
  Collect,
  Critique,
  Decision,
  DecisionFacts,
  DecisionRule,
  DraftParts,
  DraftQuestion,
  Intake,
  Options,
  Outward,
  PlanInput,
  Playbook,
  PreparedPayload,
  Presenting,
  Prompt,
  ReasonInput,
  ReportInput,
  RuleAnswer,
  Rules,
  SettingsItem,
  StagePorts,
  Strategy,
  Triage,
  UnitResult,
  Write,
} from '@casefile/pipeline';
