import type OpenAI from 'openai';
import type { Sending } from '../make-adapter.js';

/**
 * The official SDK without its own retries, its log and its settings from the environment. Loaded with the
 * first call: the SDKs together take half a second to load, which a process without models never needs.
 */
export async function openAi({ entry, apiKey, fetch, headers, timeoutMs }: Sending): Promise<OpenAI> {
  const { default: Client } = await import('openai');
  const authorization = apiKey === null ? { Authorization: null } : {};
  return new Client({
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
