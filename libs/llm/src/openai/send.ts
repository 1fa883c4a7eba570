import OpenAI from 'openai';
import type { Sending } from '../make-adapter.js';

/** The official SDK without its own retries, its log and what it would take from the environment. */
export function openAi({ entry, apiKey, fetch, headers, timeoutMs }: Sending): OpenAI {
  const authorization = apiKey === null ? { Authorization: null } : {};
  return new OpenAI({
    apiKey: apiKey ?? 'none',
    adminAPIKey: null,
    organization: null,
    project: null,
    webhookSecret: null,
    baseURL: entry.baseUrl,
    maxRetries: 0,
    timeout: timeoutMs,
    logLevel: 'off',
    fetch,
    defaultHeaders: { ...headers, ...authorization },
  });
}
