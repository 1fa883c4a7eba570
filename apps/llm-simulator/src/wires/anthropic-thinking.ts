import type { AnthropicRequest } from './anthropic.js';
import { refusal } from './wire.js';
import { wordOf } from './text-of-content.js';

export interface Thinking {
  kind: 'off' | 'enabled' | 'adaptive';
  /** `omitted`: the blocks come with their signature alone. */
  display: 'summarized' | 'omitted';
}

/** Models from Opus 4.7 on: adaptive thinking only, and nothing of it shown unless that is asked for. */
const NEWER = /^claude-(?:(?:opus|sonnet|haiku)-(?:4-[7-9]|[5-9])|fable|mythos)\b/;
const LEAST_BUDGET = 1024;
const KINDS: Record<string, Thinking['kind']> = { disabled: 'off', enabled: 'enabled', adaptive: 'adaptive' };

/** @throws a refusal for a kind or display of thinking that there is not. */
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

/** @throws a refusal for what does not go together with thinking. */
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
