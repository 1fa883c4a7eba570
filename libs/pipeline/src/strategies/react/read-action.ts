import {
  canonicalJson,
  MOST_ARGUMENT_BYTES,
  type JsonObject,
  type ModelToolCall,
  type z,
} from '@casefile/contracts';
import { readValue } from '../../answers/read-object.js';
import { inLine } from '../../plain-text.js';
import type { StepTools } from '../../stage-ports.js';

/** One call of a model, after validation. */
export type TurnAction =
  | { kind: 'finish'; call: ModelToolCall; answer: unknown }
  | { kind: 'call'; call: ModelToolCall; args: JsonObject; key: string }
  | { kind: 'plan'; call: ModelToolCall; value: unknown }
  /** Returned as an observation for the model to correct. */
  | { kind: 'invalid'; call: ModelToolCall; reasonCode: string; problem: string };

/** Calls that a turn may make. */
export interface ActionRules {
  /** Tools that may be called now. */
  tools: readonly string[];
  finish: { name: string; schema: z.ZodType };
  plan: { name: string; schema: z.ZodType } | undefined;
  describe: StepTools['describe'];
}

/** Validates one call: its tool must be offered, and its arguments must fit the tool's schema. */
export function readAction(call: ModelToolCall, { tools, finish, plan, describe }: ActionRules): TurnAction {
  if (call.cutFrom !== undefined)
    return invalid(
      call,
      'invalid_arguments',
      `the arguments have ${call.cutFrom} bytes; ${MOST_ARGUMENT_BYTES} are the most`,
    );
  if (call.name === finish.name) {
    const read = readValue(finish.schema, call.args);
    if ('value' in read) return { kind: 'finish', call, answer: read.value };
    return invalid(call, 'invalid_arguments', problemsOf(read));
  }
  if (plan !== undefined && call.name === plan.name) {
    const read = readValue(plan.schema, call.args);
    return 'value' in read
      ? { kind: 'plan', call, value: read.value }
      : invalid(call, 'invalid_arguments', problemsOf(read));
  }
  const tool = tools.includes(call.name) ? describe(call.name) : null;
  if (tool === null) {
    const known = [...tools, ...(plan === undefined ? [] : [plan.name]), finish.name].join(', ');
    return invalid(
      call,
      'unknown_tool',
      `there is no tool ${JSON.stringify(inLine(call.name, 80))}; there are: ${known}`,
    );
  }
  const read = readValue(tool.asks, call.args);
  if ('problems' in read) return invalid(call, 'invalid_arguments', problemsOf(read));
  const args = read.value as JsonObject;
  // Calls are equal regardless of the order of keys and of surrounding blanks.
  const same = canonicalJson(args, (text) => text.trim().replace(/\s+/g, ' '));
  return { kind: 'call', call, args, key: `${call.name} ${same}` };
}

/** Returns a call that is not made, with the problem for the model. */
export function invalid(call: ModelToolCall, reasonCode: string, problem: string): TurnAction {
  return { kind: 'invalid', call, reasonCode, problem };
}

function problemsOf({ problems }: { problems: string[] }): string {
  return `the arguments do not fit: ${problems.slice(0, 5).join('; ')}`;
}
