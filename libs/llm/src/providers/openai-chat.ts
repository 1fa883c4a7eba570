import type { ChatCompletionCreateParams } from 'openai/resources/chat/completions';
import { makeAdapter } from '../make-adapter.js';
import type { Sending } from '../make-adapter.js';
import type { MakeModel } from '../provider.js';
import { chatRequest } from '../openai/chat-request.js';
import { readChat } from '../openai/chat-response.js';
import { assembleChat, chatDelta } from '../openai/chat-stream.js';
import { openAi } from '../openai/send.js';

/** OpenAI's chat completions, and every server that speaks them. */
export const openAiChat: MakeModel = (entry, parts) =>
  makeAdapter({
    send,
    read: (body) => readChat(body, entry.sendsBack),
    assemble: assembleChat,
    delta: chatDelta,
  })(entry, parts);

async function send(sending: Sending): Promise<unknown> {
  const { entry, request, reasoningParams, signal } = sending;
  const params: ChatCompletionCreateParams = chatRequest(entry, request, reasoningParams);
  const client = await openAi(sending);
  return client.chat.completions.create(params, { signal }).asResponse();
}
