import type { ResponseCreateParams } from 'openai/resources/responses/responses';
import { makeAdapter } from '../make-adapter.js';
import type { Sending } from '../make-adapter.js';
import type { MakeModel } from '../provider.js';
import { responsesRequest } from '../openai/responses-request.js';
import { readResponses, assembleResponses, responsesDelta } from '../openai/responses-response.js';
import { openAi } from '../openai/send.js';

/** OpenAI's Responses API, without anything stored at the provider. */
export const openAiResponses: MakeModel = makeAdapter({
  send,
  read: readResponses,
  assemble: assembleResponses,
  delta: responsesDelta,
});

async function send(sending: Sending): Promise<unknown> {
  const { entry, request, reasoningParams, signal } = sending;
  const params: ResponseCreateParams = responsesRequest(entry, request, reasoningParams);
  const client = await openAi(sending);
  return client.responses.create(params, { signal }).asResponse();
}
