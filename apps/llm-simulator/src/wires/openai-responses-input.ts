import type { Json, JsonObject } from '@casefile/contracts';
import { isSealed } from '../seal.js';
import { refusal } from './wire.js';
import type { WireContext } from './wire.js';
import { wordOf } from './text-of-content.js';

interface Request {
  input: string | JsonObject[];
  store?: boolean | null | undefined;
  [key: string]: unknown;
}

/** Types of items that may follow a reasoning item. */
const REASONED = ['message', 'function_call', 'reasoning'];

/**
 * @throws a refusal for an input that OpenAI rejects: lost or changed reasoning, or calls without outputs.
 */
export function checkResponsesInput(request: Request, context: WireContext): void {
  checkNoState(request);
  if (typeof request.input === 'string') return;
  const items = request.input.map(withType);
  items.forEach((item, index) => {
    const param = `input[${index}]`;
    checkShape(item, param);
    if (item.type === 'item_reference') throw notFound(item.id, param);
    if (item.type === 'reasoning') {
      checkSeal(item, request, context, param);
      checkFollowed(item, items[index + 1], param);
    }
    if (item.type === 'function_call') checkHasReasoning(item, items, context, param);
  });
  checkPairs(items);
}

/** A message may omit its type. */
function withType(item: JsonObject): JsonObject {
  return item.type === undefined && item.role !== undefined ? { ...item, type: 'message' } : item;
}

/** Items that models with function tools use, each with its required fields. */
const SHAPES: Record<string, string[]> = {
  message: ['role', 'content'],
  reasoning: ['id', 'summary'],
  function_call: ['call_id', 'name', 'arguments'],
  function_call_output: ['call_id', 'output'],
  item_reference: ['id'],
};

function checkShape(item: JsonObject, param: string): void {
  const shape = Object.hasOwn(SHAPES, wordOf(item.type)) ? SHAPES[wordOf(item.type)] : undefined;
  if (shape === undefined)
    throw refusal(
      `Invalid value: '${wordOf(item.type)}'. Supported values are: ${Object.keys(SHAPES).join(', ')}.`,
      {
        code: 'invalid_value',
        param: `${param}.type`,
      },
    );
  const missing = shape.find((key) => item[key] === undefined || item[key] === null);
  if (missing === undefined) return;
  throw refusal(`Missing required parameter: '${param}.${missing}'.`, {
    code: 'missing_required_parameter',
    param: `${param}.${missing}`,
  });
}

/** Refuses parameters that need state: the simulator keeps none. */
function checkNoState(request: Request): void {
  for (const name of ['previous_response_id', 'conversation', 'prompt'])
    if (request[name] !== undefined && request[name] !== null)
      throw refusal(`The simulator keeps nothing that '${name}' could name.`, {
        code: 'unsupported_parameter',
        param: name,
      });
  if (request.background === true)
    throw refusal('The simulator answers at once.', { code: 'unsupported_parameter', param: 'background' });
}

/** An item without sealed content is searched by its id, and found only if it was stored. */
function checkSeal(item: JsonObject, { store }: Request, { memory }: WireContext, param: string): void {
  const sealed = item.encrypted_content ?? undefined;
  if (sealed === undefined) {
    if (store !== false && memory.knows(`openai-responses/stored/${item.id}`)) return;
    throw notFound(item.id, param);
  }
  if (isSealed(sealed)) return;
  throw refusal(
    `The encrypted content for item ${wordOf(item.id)} could not be verified. Reason: Encrypted content could not be decrypted or parsed.`,
    { code: 'invalid_encrypted_content', param },
  );
}

function notFound(id: Json | undefined, param: string) {
  return refusal(
    `Item with id '${wordOf(id)}' not found. Items are not persisted when \`store\` is set to false. Try again with \`store\` set to true, or remove this item from your input.`,
    { status: 404, param },
  );
}

function checkFollowed(item: JsonObject, next: JsonObject | undefined, param: string): void {
  const belongs = REASONED.includes(wordOf(next?.type)) && (next?.role ?? 'assistant') === 'assistant';
  if (belongs) return;
  throw refusal(
    `Item '${wordOf(item.id)}' of type 'reasoning' was provided without its required following item.`,
    { param },
  );
}

function checkHasReasoning(
  item: JsonObject,
  items: JsonObject[],
  { memory }: WireContext,
  param: string,
): void {
  const [reasoningId] = memory.contentsOf(`openai-responses/${wordOf(item.id)}`);
  if (reasoningId === undefined || items.some(({ type, id }) => type === 'reasoning' && id === reasoningId))
    return;
  throw refusal(
    `Item '${wordOf(item.id)}' of type 'function_call' was provided without its required 'reasoning' item: '${reasoningId}'.`,
    { param },
  );
}

function checkPairs(items: JsonObject[]): void {
  const ids = (type: string) => items.filter((item) => item.type === type).map((item) => item.call_id);
  const calls = ids('function_call');
  const outputs = ids('function_call_output');
  const lost = outputs.find((id) => !calls.includes(id));
  if (lost !== undefined)
    throw refusal(`No tool call found for function call output with call_id ${wordOf(lost)}.`, {
      param: 'input',
    });
  const open = calls.find((id) => !outputs.includes(id));
  if (open !== undefined)
    throw refusal(`No tool output found for function call ${wordOf(open)}.`, { param: 'input' });
}
