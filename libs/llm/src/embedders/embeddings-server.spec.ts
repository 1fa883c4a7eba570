import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { manualClock } from '@casefile/contracts/testing';
import { describeEmbedder } from '../testing/embedder.conformance.js';
import { embeddingsServer } from './create-embedder.js';

interface Asked {
  input: string[];
  model: string;
}
type Answer = (asked: Asked) => { status?: number; body: unknown; headers?: Record<string, string> } | null;

const vectorOf = (text: string) => {
  const vector = Array<number>(64).fill(0.01);
  for (const word of text.toLowerCase().match(/\p{L}+/gu) ?? [])
    vector[[...word].reduce((sum, c) => sum * 31 + c.charCodeAt(0), 7) % 64]! += 1;
  return vector;
};
const honest: Answer = ({ input }) => ({
  // Out of order on purpose: the index says which is which.
  body: {
    object: 'list',
    data: input.map((text, index) => ({ index, embedding: vectorOf(text) })).reverse(),
  },
});

async function aServer() {
  const state = { answer: honest, asked: [] as Asked[], keys: [] as (string | undefined)[] };
  const server: Server = createServer((request, response) => {
    let text = '';
    request.on('data', (piece) => (text += String(piece)));
    request.on('end', () => {
      const asked = JSON.parse(text) as Asked;
      state.asked.push(asked);
      state.keys.push(request.headers.authorization);
      const answer = state.answer(asked);
      if (answer === null) return;
      response.writeHead(answer.status ?? 200, { 'content-type': 'application/json', ...answer.headers });
      response.end(typeof answer.body === 'string' ? answer.body : JSON.stringify(answer.body));
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1/`;
  const make = (over: object = {}) => embeddingsServer({ url, model: 'm-1', clock: manualClock(), ...over });
  const close = async () => {
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  };
  return { state, make, close };
}

describeEmbedder('a server of /v1/embeddings', async () => {
  const { make, close } = await aServer();
  return { embedder: make(), close };
});

describe('a server of embeddings', () => {
  const signal = new AbortController().signal;
  let at: Awaited<ReturnType<typeof aServer>>;
  beforeEach(async () => void (at = await aServer()));
  afterEach(() => at.close());

  it('S3-10 is asked once, with model, texts and key', async () => {
    await at.make({ apiKey: 'made-up' }).embed(['a', 'b'], signal);
    await at.make().embed(['c'], signal);
    expect(at.state.asked).toEqual([
      expect.objectContaining({ model: 'm-1', input: ['a', 'b'] }),
      expect.objectContaining({ input: ['c'] }),
    ]);
    expect(at.state.keys).toEqual(['Bearer made-up', undefined]);
  });

  it.each<[string, Answer]>([
    [
      'rate_limited',
      () => ({ status: 429, body: { error: { message: 'slow down' } }, headers: { 'retry-after': '2' } }),
    ],
    [
      'quota_exhausted',
      () => ({ status: 429, body: { error: { message: 'pay', code: 'insufficient_quota' } } }),
    ],
    ['bad_key', () => ({ status: 401, body: { error: { message: 'who?' } } })],
    ['server_error', () => ({ status: 500, body: 'oops' })],
    ['bad_answer', () => ({ status: 302, body: '', headers: { location: 'http://127.0.0.1:1/' } })],
    ['bad_answer', () => ({ body: 'no json' })],
    ['bad_answer', () => ({ body: { data: [] } })],
    [
      'bad_answer',
      () => ({
        body: {
          data: [
            { index: 0, embedding: [1] },
            { index: 0, embedding: [1] },
          ],
        },
      }),
    ],
    [
      'bad_answer',
      () => ({
        body: {
          data: [
            { index: 0, embedding: [1] },
            { index: 1, embedding: [1, 2] },
          ],
        },
      }),
    ],
    [
      'bad_answer',
      () => ({
        body: {
          data: [
            { index: 0, embedding: ['x'] },
            { index: 1, embedding: [null] },
          ],
        },
      }),
    ],
  ])('S3-41 is %s, after one request', async (reasonCode, answer) => {
    at.state.answer = answer;
    await expect(at.make().embed(['a', 'b'], signal)).rejects.toMatchObject({ reasonCode });
    expect(at.state.asked).toHaveLength(1);
  });

  it('S3-12 refuses vectors of another dimension than before', async () => {
    const embedder = at.make();
    await embedder.embed(['a'], signal);
    at.state.answer = ({ input }) => ({
      body: { data: input.map((_, index) => ({ index, embedding: [1, 2] })) },
    });
    await expect(embedder.embed(['b'], signal)).rejects.toMatchObject({
      reasonCode: 'bad_answer',
      message: expect.stringContaining('64 dimensions and one of 2'),
    });
  });

  it('S3-41 is a timeout when it never answers, and network when nothing listens', async () => {
    at.state.answer = () => null;
    await expect(at.make({ timeoutMs: 50 }).embed(['a'], signal)).rejects.toMatchObject({
      reasonCode: 'timeout',
    });
    const nobody = at.make({ url: 'http://127.0.0.1:1/v1' });
    await expect(nobody.embed(['a'], signal)).rejects.toMatchObject({ reasonCode: 'network' });
  });
});
