import { readMessage, assembleMessage, messageDelta } from '../anthropic/messages-response.js';
import { readGenerated, assembleGenerated, generatedDelta } from '../gemini/generate-response.js';
import { readChat } from '../openai/chat-response.js';
import { assembleChat, chatDelta } from '../openai/chat-stream.js';
import { readResponses, assembleResponses, responsesDelta } from '../openai/responses-response.js';
import type { Protocol } from '../provider-entry.js';
import type { Reader } from '../reading.js';

/** Reader of each protocol without the SDK that sends, for tests of ten thousand bodies. */
export const READERS: Record<Protocol, Reader> = {
  anthropic: { read: readMessage, assemble: assembleMessage, delta: messageDelta },
  gemini: { read: readGenerated, assemble: assembleGenerated, delta: generatedDelta },
  'openai-chat': {
    read: (body) => readChat(body, ['reasoning_content']),
    assemble: assembleChat,
    delta: chatDelta,
  },
  'openai-responses': { read: readResponses, assemble: assembleResponses, delta: responsesDelta },
};
