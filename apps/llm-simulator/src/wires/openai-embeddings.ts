import { parseInput, z, type Json } from '@casefile/contracts';
import { textTokens } from '../usage-of.js';
import { checkKey, openAiFailure } from './openai-chat.js';
import {
  headerBearer,
  dataEvent,
  MODEL,
  refusal,
  type Exchange,
  type Wire,
  type WireContext,
} from './wire.js';
import { wordOf } from './text-of-content.js';
import { createHash } from 'node:crypto';

const tokens = z.array(z.number().int().nonnegative()).min(1);
const requestSchema = z.looseObject({
  model: z.string(),
  input: z.union([
    z.string().min(1),
    z.array(z.string().min(1)).min(1).max(2048),
    tokens,
    z.array(tokens).min(1).max(2048),
  ]),
  dimensions: z.number().int().min(1).max(8192).nullish(),
  encoding_format: z.enum(['float', 'base64']).nullish(),
});
type EmbeddingsRequest = z.infer<typeof requestSchema>;

/** `POST /v1/embeddings`, as OpenAI documents it. */
export const openAiEmbeddings: Wire = {
  protocol: 'openai-embeddings',
  serves: (path) => path === '/v1/embeddings',
  read({ body, headers }, context) {
    checkKey(headerBearer(headers), context);
    if (body.stream === true) throw refusal('Embeddings are not streamed.', { param: 'stream' });
    return exchangeFor(parseInput(requestSchema, body, 'request'), context);
  },
  failure: openAiFailure,
  lateFailure: (failure) => dataEvent(openAiFailure(failure)),
};

function exchangeFor(request: EmbeddingsRequest, { script }: WireContext): Exchange {
  const texts = textsOf(request.input);
  const dimensions = request.dimensions ?? script.embeddings.dimensions;
  const count = texts.reduce((sum, text) => sum + textTokens(text), 0);
  return {
    question: {
      turns: texts.map((text) => ({ role: 'user' as const, text })),
      tools: [],
      mayCallTools: false,
      mustCallTools: false,
      schema: undefined,
      json: false,
      stream: false,
      limit: undefined,
      thinks: false,
    },
    whole: (answer) => ({
      object: 'list',
      // An empty scripted answer has no vectors. For any other answer the vectors are those of the texts.
      data: (answer.content === '' ? [] : texts).map((text, index) => {
        const vector = embed(text, dimensions);
        const embedding: Json = request.encoding_format === 'base64' ? base64(vector) : vector;
        return { object: 'embedding', index, embedding };
      }),
      model: MODEL,
      usage: { prompt_tokens: count, total_tokens: count },
    }),
    events: () => [],
  };
}

/** Token ids serve as words. */
function textsOf(input: EmbeddingsRequest['input']): string[] {
  if (typeof input === 'string') return [input];
  if (input.every((item) => typeof item === 'number')) return [input.join(' ')];
  return input.map((item) => (Array.isArray(item) ? item.join(' ') : wordOf(item)));
}

/** Encodes 32-bit floats, low byte first, as OpenAI does. */
function base64(vector: number[]): string {
  const bytes = Buffer.alloc(vector.length * 4);
  vector.forEach((value, index) => bytes.writeFloatLE(value, index * 4));
  return bytes.toString('base64');
}

/** Number of positions per word. More positions make accidental similarity of different words rarer. */
const PLACES_A_WORD = 8;

/**
 * Returns a vector of length one, made by hashing the words of a text. Order and case of the words do not
 * matter, and texts that share words get similar vectors. A text without words gets the first axis.
 */
export function embed(text: string, dimensions: number): number[] {
  const vector = new Array<number>(dimensions).fill(0);
  for (const word of text.toLowerCase().match(/[\p{L}\p{M}\p{N}]+/gu) ?? []) mark(vector, word);
  const length = Math.hypot(...vector);
  if (length === 0) vector[0] = 1;
  return length === 0 ? vector : vector.map((value) => value / length);
}

function mark(vector: number[], word: string): void {
  const digest = createHash('sha256').update(word).digest();
  for (let place = 0; place < PLACES_A_WORD; place += 1) {
    const drawn = digest.readUInt32BE(place * 4);
    const at = (drawn >>> 1) % vector.length;
    vector[at] = (vector[at] ?? 0) + (drawn % 2 === 0 ? 1 : -1);
  }
}
