import type { Draw, ModelMessage, ToolCall, TraceStep } from '@casefile/contracts';
import type { StagePorts } from '../../stage-ports.js';
import type { ReasonInput } from '../../strategy.js';
import type { Controller, LoopEnd, Spent, TurnOptions } from './controller.js';
import type { Progress } from './progress.js';

/** What a loop of turns works with. */
export interface TurnPorts {
  controller: Controller;
  input: ReasonInput;
  ports: StagePorts;
  options: TurnOptions;
}

/** What has happened in a loop so far. It is the same on every rendering of the record. */
export interface LoopState {
  messages: ModelMessage[];
  trace: TraceStep[];
  calls: ToolCall[];
  /** Results by tool and arguments. The same call within the evaluation gets the same result. S4-05. */
  known: Map<string, Told>;
  spent: Spent;
  model: string | null;
  remarks: Set<string>;
  /** Arguments of calls that should have finished and did not fit, in one form. */
  refusedFinishes: Set<string>;
  /** Turns without a call, in a row. */
  prose: number;
  progress: Progress;
  /** Turns that brought nothing new, in a row. */
  barren: number;
  notes: LoopEnd<unknown>['notes'];
}

/** Text for the model about one of its calls. */
export interface Told {
  /** As it stands in the conversation. */
  text: string;
  /** The same without marks: for the trace. */
  observation: string;
  cached: boolean;
  reasonCode: string | null;
  /** The recorded call that the text comes from; null: nothing was called. */
  source: ToolCall | null;
}

/** One turn. */
export interface Turn {
  iteration: number;
  /** Why the turn may only finish; null: it may do what it likes. */
  forced: string | null;
  draw: Draw;
}
