// Rules for units and runs: ending a stage, claiming a unit, the input of a stage, the status of a run.
export * from './call-rules.js';
export * from './claim-rules.js';
export * from './failure-rules.js';
export * as moves from './move.js';
export { LOOK_AGAIN_MS, type Move, type NewArtifact, type NewEvent, type UnitMove } from './move.js';
export * from './next-input.js';
export * from './run-progress.js';
export * from './selected-artifacts.js';
