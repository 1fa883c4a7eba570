import type { Protocol } from '../provider-entry.js';
import type { MakeModel } from '../provider.js';
import { anthropic } from './anthropic.js';
import { gemini } from './gemini.js';
import { openAiChat } from './openai-chat.js';
import { openAiResponses } from './openai-responses.js';

/** Adapter of each protocol, by its name in the provider table. */
export const PROVIDERS: Record<Protocol, MakeModel> = {
  anthropic,
  gemini,
  'openai-chat': openAiChat,
  'openai-responses': openAiResponses,
};
