import { messagesRequest } from '../anthropic/messages-request.js';
import { readMessage, assembleMessage, messageDelta } from '../anthropic/messages-response.js';
import { makeAdapter } from '../make-adapter.js';
import type { Sending } from '../make-adapter.js';
import type { MakeModel } from '../provider.js';

/** Anthropic's Messages. */
export const anthropic: MakeModel = makeAdapter({
  send,
  read: readMessage,
  assemble: assembleMessage,
  delta: messageDelta,
});

/**
 * The official SDK without its own retries, its log and what it would take from the environment or from disk. Loaded at
 * the first call.
 */
async function send({
  entry,
  apiKey,
  request,
  reasoningParams,
  fetch,
  headers,
  signal,
  timeoutMs,
}: Sending): Promise<unknown> {
  const { default: Client } = await import('@anthropic-ai/sdk');
  const client = new Client({
    apiKey: apiKey ?? 'none',
    webhookKey: null,
    // The SDK adds the version to the path itself.
    baseURL: entry.baseUrl.replace(/\/v1$/, ''),
    maxRetries: 0,
    timeout: timeoutMs,
    logLevel: 'off',
    fetch,
    defaultHeaders: { ...headers, ...(apiKey === null && { Authorization: null, 'X-Api-Key': null }) },
  });
  return client.messages.create(messagesRequest(entry, request, reasoningParams), { signal }).asResponse();
}
