import type { MakeModel, Protocol } from '../provider.js';
import { openAiChat } from './openai-chat.js';

/** Every protocol by its name in the provider table. */
export const PROVIDERS: Record<Protocol, MakeModel> = {
  'openai-chat': openAiChat,
};
