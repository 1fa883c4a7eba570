import type { Protocol } from '../../provider-entry.js';
import { fakeAnthropic } from './anthropic.js';
import { fakeGemini } from './gemini.js';
import { fakeOpenAiChat } from './openai-chat.js';
import { fakeOpenAiResponses } from './openai-responses.js';
import type { FakeWire } from './wire.js';

/** Each protocol as spoken by a fake server. */
export const FAKE_WIRES: Record<Protocol, FakeWire> = {
  anthropic: fakeAnthropic,
  gemini: fakeGemini,
  'openai-chat': fakeOpenAiChat,
  'openai-responses': fakeOpenAiResponses,
};
