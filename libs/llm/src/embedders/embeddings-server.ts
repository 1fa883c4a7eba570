import { asCasefileError, CasefileError, z, type Clock, type Embedder } from '@casefile/contracts';
import type OpenAI from 'openai';
import { httpError } from '../http-failure.js';
import { withinTime } from '../within-time.js';

export interface EmbeddingsServer {
  /** `https://api.openai.com/v1`: `/embeddings` is added. */
  url: string;
  model: string;
  /** Absent: the server asks for none. */
  apiKey?: string | undefined;
  clock: Clock;
  /** For one call, in milliseconds. */
  timeoutMs?: number;
}

const PROVIDER = 'the embeddings server';
const TIMEOUT_MS = 10_000;
const answerSchema = z.object({
  data: z.array(z.object({ index: z.number().int().min(0), embedding: z.array(z.number()).min(1) })),
});

/** Any server of OpenAI's `POST /v1/embeddings`. Exactly one request a call. */
export function embeddingsServer(settings: EmbeddingsServer): Embedder {
  const { url, model, timeoutMs = TIMEOUT_MS } = settings;
  let dimension: number | null = null;
  return {
    model: `${model}@${new URL(url).host}`,
    locality: 'remote',
    languages: null,
    weights: { vector: 1, words: 0 },
    async embed(texts, signal) {
      if (texts.length === 0) return [];
      const body = await withinTime(timeoutMs, signal, (limited) => asked(settings, texts, limited));
      const vectors = vectorsIn(body, texts.length);
      for (const vector of vectors) {
        dimension ??= vector.length;
        if (vector.length !== dimension)
          throw badAnswer(`vectors of ${dimension} dimensions and one of ${vector.length}`);
      }
      return vectors;
    },
  };
}

async function asked(settings: EmbeddingsServer, input: string[], signal: AbortSignal): Promise<unknown> {
  const { default: Client } = await import('openai');
  const client = new Client({
    apiKey: settings.apiKey ?? 'none',
    adminAPIKey: null,
    organization: null,
    project: null,
    webhookSecret: null,
    baseURL: settings.url.replace(/(?<!\/)\/+$/, ''),
    maxRetries: 0,
    // Ours is the limit: the SDK's own must never be the first.
    timeout: (settings.timeoutMs ?? TIMEOUT_MS) * 2,
    logLevel: 'off',
    fetch: (address, init) => fetch(address, { ...init, redirect: 'manual' }),
    defaultHeaders: settings.apiKey === undefined ? { Authorization: null } : {},
  });
  try {
    return await client.embeddings.create(
      { model: settings.model, input, encoding_format: 'float' },
      { signal },
    );
  } catch (thrown) {
    throw failureOf(thrown, Client, settings.clock, signal);
  }
}

function failureOf(thrown: unknown, sdk: typeof OpenAI, clock: Clock, signal: AbortSignal): CasefileError {
  if (signal.aborted) return asCasefileError(signal.reason);
  if (thrown instanceof sdk.APIConnectionError)
    return new CasefileError('network', `${PROVIDER} cannot be reached`, { cause: thrown, retryable: true });
  if (!(thrown instanceof sdk.APIError) || thrown.status === undefined)
    return badAnswer('what could not be read', thrown);
  const { status, code, type, message } = thrown;
  const codes = [code, type].filter((word) => typeof word === 'string');
  const headers = thrown.headers ?? new Headers();
  return httpError({ provider: PROVIDER, status, codes, message, headers }, clock.now());
}

function vectorsIn(body: unknown, count: number): number[][] {
  const parsed = answerSchema.safeParse(body);
  if (!parsed.success) throw badAnswer('no list of vectors', parsed.error);
  const data = parsed.data.data.toSorted((a, b) => a.index - b.index);
  if (data.length !== count || data.some(({ index }, i) => index !== i))
    throw badAnswer(`${data.length} vectors for ${count} texts`);
  return data.map(({ embedding }) => embedding);
}

function badAnswer(what: string, cause?: unknown): CasefileError {
  return new CasefileError('bad_answer', `${PROVIDER} answered with ${what}`, { cause });
}
