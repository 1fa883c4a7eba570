import type { JsonObject } from '@casefile/contracts';
import type { Memory } from '../memory.js';
import { isSealed } from '../seal.js';
import type { AnthropicMessage, AnthropicRequest } from './anthropic-request.js';
import { objectsIn, wordOf } from './text-of-content.js';
import { refusal } from './wire.js';

const isThought = ({ type }: JsonObject) => type === 'thinking' || type === 'redacted_thinking';
const messageBlocks = (message: AnthropicMessage | undefined) => objectsIn(message?.content);
const messageIds = (message: AnthropicMessage | undefined, type: string, key: string) =>
  messageBlocks(message).flatMap((block) => (block.type === type ? [wordOf(block[key])] : []));

/** Returns the thinking of a turn as one text, to compare it when the turn comes back. */
export function thinkingDigest(content: JsonObject[]): string {
  return JSON.stringify(
    content.filter(isThought).map(({ type, thinking, signature, data }) => [type, thinking, signature, data]),
  );
}

/** @throws a refusal for a history that Anthropic rejects: open tool calls, or changed thinking. */
export function checkMessages(messages: AnthropicMessage[], thinking: Thinking, memory: Memory): void {
  const [first] = messages;
  if (first?.role === 'assistant') throw refusal('messages: first message must use the "user" role');
  const questionIndex = messages.findLastIndex(
    (message) => message.role === 'user' && messageIds(message, 'tool_result', 'tool_use_id').length === 0,
  );
  messages.forEach((message, index) => {
    checkBlocks(message, index);
    checkToolUse(messages, index);
    if (message.role === 'assistant' && index > questionIndex && thinking.kind !== 'off')
      checkTurn(message, index, thinking, memory);
  });
}

function checkBlocks(message: AnthropicMessage, index: number): void {
  if (message.content === '' || message.content.length === 0)
    throw refusal(`messages.${index}: all messages must have non-empty content`);
  messageBlocks(message).forEach((block, place) => {
    const at = `messages.${index}.content.${place}`;
    if (block.type === 'text' && block.text === '')
      throw refusal(`${at}: text content blocks must be non-empty`);
    if (block.type === 'thinking' && !isSealed(block.signature, wordOf(block.thinking)))
      throw refusal(`${at}: Invalid \`signature\` in \`thinking\` block`);
    if (block.type === 'redacted_thinking' && !isSealed(block.data))
      throw refusal(`${at}: Invalid \`data\` in \`redacted_thinking\` block`);
  });
}

function checkToolUse(messages: AnthropicMessage[], index: number): void {
  const callIds = messageIds(messages[index - 1], 'tool_use', 'id');
  const resultIds = messageIds(messages[index], 'tool_result', 'tool_use_id');
  const lost = resultIds.find((id) => !callIds.includes(id));
  if (lost !== undefined)
    throw refusal(
      `messages.${index}.content.0: unexpected \`tool_use_id\` found in \`tool_result\` blocks: ${lost}. Each \`tool_result\` block must have a corresponding \`tool_use\` block in the previous message.`,
    );
  const next = messageIds(messages[index + 1], 'tool_result', 'tool_use_id');
  const open = messageIds(messages[index], 'tool_use', 'id').filter((id) => !next.includes(id));
  if (open.length > 0)
    throw refusal(
      `messages.${index}: \`tool_use\` ids were found without \`tool_result\` blocks immediately after: ${open.join(', ')}. Each \`tool_use\` block must have a corresponding \`tool_result\` block in the next message.`,
    );
}

/** Checks that an unfinished tool turn comes back with its thinking. */
function checkTurn(message: AnthropicMessage, index: number, { kind }: Thinking, memory: Memory): void {
  const ids = messageIds(message, 'tool_use', 'id');
  const [first] = messageBlocks(message);
  if (kind === 'enabled' && ids.length > 0 && (first === undefined || !isThought(first)))
    throw refusal(
      `messages.${index}.content.0.type: Expected \`thinking\` or \`redacted_thinking\`, but found \`${wordOf(first?.type)}\`. When \`thinking\` is enabled, a final \`assistant\` message must start with a thinking block (preceding the lastmost set of \`tool_use\` and \`tool_result\` blocks).`,
    );
  const digest = thinkingDigest(messageBlocks(message));
  if (ids.some((id) => memory.contradicts(`anthropic/${id}`, digest)))
    throw refusal(
      `messages.${index}.content.0: \`thinking\` or \`redacted_thinking\` blocks in the latest assistant message cannot be modified. These blocks must remain as they were in the original response.`,
    );
}

export interface Thinking {
  kind: 'off' | 'enabled' | 'adaptive';
  /** `omitted`: blocks contain only their signature. */
  display: 'summarized' | 'omitted';
}

/** Models since Opus 4.7: only adaptive thinking, which is hidden unless the request asks to show it. */
const NEWER = /^claude-(?:(?:opus|sonnet|haiku)-(?:4-[7-9]|[5-9])|fable|mythos)\b/;
const LEAST_BUDGET = 1024;
const KINDS: Record<string, Thinking['kind']> = { disabled: 'off', enabled: 'enabled', adaptive: 'adaptive' };

/** @throws a refusal for an unknown kind or display of thinking. */
export function readThinking({ thinking, model }: AnthropicRequest): Thinking {
  const kind = KINDS[wordOf(thinking?.type ?? 'disabled')];
  if (kind === undefined)
    throw refusal(
      `thinking: Input tag '${wordOf(thinking?.type)}' found using 'type' does not match any of the expected tags: 'adaptive', 'disabled', 'enabled'`,
    );
  const display = thinking?.display ?? (NEWER.test(model) ? 'omitted' : 'summarized');
  if (display !== 'summarized' && display !== 'omitted')
    throw refusal("thinking.display: Input should be 'summarized' or 'omitted'");
  return { kind, display };
}

/** @throws a refusal for parameters that cannot be combined with thinking. */
export function checkThinking(request: AnthropicRequest, { kind }: Thinking): void {
  if (kind === 'enabled') checkBudget(request);
  if (kind === 'adaptive' && request.thinking?.budget_tokens !== undefined)
    throw refusal('thinking.adaptive.budget_tokens: Extra inputs are not permitted');
  if (kind === 'off') return;
  if (request.temperature !== undefined && request.temperature !== null && request.temperature !== 1)
    throw refusal('`temperature` may only be set to 1 when thinking is enabled.');
  if (request.tool_choice?.type === 'any' || request.tool_choice?.type === 'tool')
    throw refusal('Thinking may not be enabled when tool_choice forces tool use.');
}

function checkBudget({ model, max_tokens, thinking }: AnthropicRequest): void {
  if (NEWER.test(model))
    throw refusal(
      '"thinking.type.enabled" is not supported for this model. Use "thinking.type.adaptive" and "output_config.effort" to control thinking behavior.',
    );
  const budget = thinking?.budget_tokens;
  if (typeof budget !== 'number') throw refusal('thinking.enabled.budget_tokens: Field required');
  if (budget < LEAST_BUDGET)
    throw refusal(`thinking.enabled.budget_tokens: Input should be greater than or equal to ${LEAST_BUDGET}`);
  if (budget >= max_tokens) throw refusal('`max_tokens` must be greater than `thinking.budget_tokens`.');
}
