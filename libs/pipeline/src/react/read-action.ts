import {
  MOST_ARGUMENT_BYTES,
  fieldProblems,
  type Json,
  type JsonObject,
  type ModelToolCall,
  type z,
} from '@casefile/contracts';
import { inLine } from '../plain-text.js';
import type { StepTools } from '../stage-ports.js';

/** What a model asked for in one call of a turn, looked at. */
export type Action =
  | { kind: 'finish'; call: ModelToolCall; answer: unknown }
  | { kind: 'call'; call: ModelToolCall; args: JsonObject; key: string }
  /** Told back as an observation, for the model to mend. S4-04. */
  | { kind: 'invalid'; call: ModelToolCall; reasonCode: string; problem: string };

export interface ActionRules {
  /** Tools it may call now. */
  tools: readonly string[];
  finish: { name: string; schema: z.ZodType };
  describe: StepTools['describe'];
}

/** Reads one call: its tool must be on offer, and its arguments must fit the tool's own schema. S4-04. */
export function readAction(call: ModelToolCall, { tools, finish, describe }: ActionRules): Action {
  if (call.cutFrom !== undefined)
    return invalid(
      call,
      'invalid_arguments',
      `the arguments have ${call.cutFrom} bytes; ${MOST_ARGUMENT_BYTES} are the most`,
    );
  if (call.name === finish.name) {
    const read = finish.schema.safeParse(call.args);
    if (read.success) return { kind: 'finish', call, answer: read.data };
    return invalid(call, 'invalid_arguments', problemsOf(read.error));
  }
  const tool = tools.includes(call.name) ? describe(call.name) : null;
  if (tool === null) {
    const known = [...tools, finish.name].join(', ');
    return invalid(
      call,
      'unknown_tool',
      `there is no tool ${JSON.stringify(inLine(call.name, 80))}; there are: ${known}`,
    );
  }
  const read = tool.asks.safeParse(call.args);
  if (!read.success) return invalid(call, 'invalid_arguments', problemsOf(read.error));
  const args = read.data as JsonObject;
  return { kind: 'call', call, args, key: `${call.name} ${canonical(args)}` };
}

function invalid(call: ModelToolCall, reasonCode: string, problem: string): Action {
  return { kind: 'invalid', call, reasonCode, problem };
}

function problemsOf(error: z.ZodError): string {
  const said = fieldProblems(error).map(({ path, message }) => `${path || '(whole)'}: ${message}`);
  return `the arguments do not fit: ${said.slice(0, 5).join('; ')}`;
}

/** The same arguments have the same text, whatever the order of their keys and the space around them. S4-05. */
function canonical(value: Json): string {
  if (Array.isArray(value)) return `[${value.map(canonical).join(',')}]`;
  if (typeof value === 'string') return JSON.stringify(value.trim().replace(/\s+/g, ' '));
  if (typeof value !== 'object' || value === null) return JSON.stringify(value);
  const entries = Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1));
  return `{${entries.map(([key, entry]) => `${JSON.stringify(key)}:${canonical(entry)}`).join(',')}}`;
}
