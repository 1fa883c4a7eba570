import type { Draw, ModelMessage, ToolCall, TraceStep } from '@casefile/contracts';
import type { StagePorts } from '../../stage-ports.js';
import type { ReasonInput } from '../../strategy.js';
import type { Controller, LoopEnd, EvaluationCost, TurnOptions } from './controller.js';
import type { Progress } from './progress.js';

/** Dependencies of a loop of turns. */
export interface TurnPorts {
  controller: Controller;
  input: ReasonInput;
  ports: StagePorts;
  options: TurnOptions;
}

/** State of a loop. It is the same whenever it is rebuilt from the record. */
export interface LoopState {
  messages: ModelMessage[];
  trace: TraceStep[];
  calls: ToolCall[];
  /** Results by tool and arguments. A repeated call within the evaluation gets the same result. */
  known: Map<string, CallReport>;
  spent: EvaluationCost;
  model: string | null;
  remarks: Set<string>;
  /** Normalised arguments of refused finish calls. */
  refusedFinishes: Set<string>;
  /** Consecutive turns without a call. */
  prose: number;
  progress: Progress;
  /** Consecutive turns without new information. */
  barren: number;
  notes: LoopEnd<unknown>['notes'];
}

/** Text for the model about one of its calls. */
export interface CallReport {
  /** Text as in the conversation. */
  text: string;
  /** The same text without marks, for the trace. */
  observation: string;
  cached: boolean;
  reasonCode: string | null;
  /** The recorded call that the text comes from; null: no tool was called. */
  source: ToolCall | null;
}

/** One turn. */
export interface Turn {
  iteration: number;
  /** Reason why the turn may only finish; null: no restriction. */
  forced: string | null;
  draw: Draw;
}
