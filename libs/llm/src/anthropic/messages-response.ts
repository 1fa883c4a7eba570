import type { Json, ModelReasoning, ModelToolCall, ModelUsage } from '@casefile/contracts';
import { countIn, countSum, isObject, partOf, textIn } from '../json-parts.js';
import { argumentsOf } from '../reading.js';
import type { Reading } from '../reading.js';

const THOUGHTS = ['thinking', 'redacted_thinking'];
const FINISH: Record<string, string> = {
  end_turn: 'stop',
  stop_sequence: 'stop',
  max_tokens: 'length',
  model_context_window_exceeded: 'length',
  tool_use: 'tool_calls',
  refusal: 'content_filter',
};

/** Reads a message of Anthropic's. null: it is none. */
export function readMessage(body: Json): Reading | null {
  const content = partOf(body, 'content');
  if (!Array.isArray(content)) return null;
  const text: string[] = [];
  const toolCalls: ModelToolCall[] = [];
  const unread: string[] = [];
  content.forEach((block, index) => {
    const type = textIn(block, 'type');
    const name = textIn(block, 'name');
    const said = partOf(block, 'text');
    if (THOUGHTS.includes(type)) return;
    if (type === 'text' && typeof said === 'string') text.push(said);
    else if (type === 'tool_use' && name !== '')
      toolCalls.push({
        id: textIn(block, 'id'),
        name,
        args: argumentsOf(partOf(block, 'input')),
      });
    else unread.push(`content[${index}] ${type}`.trim());
  });
  const stop = textIn(body, 'stop_reason');
  return {
    model: textIn(body, 'model'),
    text: text.join(''),
    reasoning: () => readThoughts(content),
    toolCalls,
    finishReason: (Object.hasOwn(FINISH, stop) ? FINISH[stop] : undefined) ?? (stop || 'unknown'),
    usage: readUsage(partOf(body, 'usage')),
    refusal: stop === 'refusal' ? refusalIn(body, text) : '',
    // Thinking must come back unmodified, in its place among the other blocks, or the next turn is refused.
    items: content.some((block) => THOUGHTS.includes(textIn(block, 'type'))) ? content : null,
    unread,
  };
}

function refusalIn(body: Json, text: string[]): string {
  const details = partOf(body, 'stop_details');
  return textIn(details, 'explanation') || text.join('') || textIn(details, 'category') || 'refusal';
}

/**
 * Since Claude 4 a `thinking` block is a summary; with `display: 'omitted'` it is empty and signed; what safety withholds
 * is `redacted_thinking`.
 */
function readThoughts(content: Json[]): ModelReasoning | null {
  const blocks = content.filter((block) => textIn(block, 'type') === 'thinking');
  const texts = blocks.map((block) => textIn(block, 'thinking').trim()).filter((text) => text !== '');
  if (texts.length > 0) return { content: texts.join('\n\n'), kind: 'summary', source: 'thinking' };
  if (blocks.some((block) => textIn(block, 'signature') !== ''))
    return { content: '', kind: 'encrypted', source: 'thinking' };
  const redacted = content.some((block) => textIn(block, 'type') === 'redacted_thinking');
  return redacted ? { content: '', kind: 'redacted', source: 'redacted_thinking' } : null;
}

/** `input_tokens` leave out what came from or went to the cache; the port's include it. */
function readUsage(given: Json | undefined): ModelUsage | null {
  if (!isObject(given)) return null;
  const cachedTokens = countIn(given, 'cache_read_input_tokens');
  const written = countIn(given, 'cache_creation_input_tokens');
  return {
    inputTokens: countSum(countIn(given, 'input_tokens'), cachedTokens, written),
    outputTokens: countIn(given, 'output_tokens'),
    reasoningTokens: countIn(partOf(given, 'output_tokens_details'), 'thinking_tokens'),
    cachedTokens,
  };
}
