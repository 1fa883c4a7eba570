// Everything that the spec of a kind of case can import, in addition to the kit. No test runner is needed.
export { HOSTILE_TEXTS, hostileProblems } from './hostile.js';
export { answerProblems, emptyParts, kindProblems } from './kind-problems.js';
export { replayKind, runKind, RunNotDecided, type KindRun } from './run-kind.js';
export { runTool, type ToolScript } from './run-tool.js';
export type { ModelAnswer, RecordedAnswer, RunRecord, Script, ScriptedTool } from './script.js';
