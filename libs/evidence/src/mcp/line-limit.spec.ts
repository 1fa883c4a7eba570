import { createHash } from 'node:crypto';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { silentLogger } from '@casefile/contracts';
import fc from 'fast-check';
import { SOME_LIMITS } from '../testing/mcp-world.js';
import { LineLimit, type RefusedLine, refusedLineId } from './message-bounds.js';
import { openSession } from './mcp-source.js';

/** What comes of these pieces of a stream. */
function passed(pieces: readonly string[], max: number): { lines: string[]; long: RefusedLine[] } {
  const lines: string[] = [];
  const long: RefusedLine[] = [];
  const limit = new LineLimit(
    { bytes: max, values: 1_000 },
    (line) => lines.push(line.toString()),
    (line) => long.push(line),
  );
  for (const piece of pieces) limit.push(Buffer.from(piece));
  limit.end();
  return { lines, long };
}

describe('S2-47 messages that are held to a length while they come in', () => {
  it('pass line by line, however they are cut; of a longer one the length and the hash are known', () => {
    const line = fc.string({ maxLength: 40 }).map((text) => text.replaceAll('\n', ' '));
    fc.assert(
      fc.property(
        fc.array(line, { maxLength: 12 }),
        fc.array(fc.nat(60), { maxLength: 20 }),
        (lines, cuts) => {
          const all = Buffer.from(lines.map((one) => `${one}\n`).join(''));
          const limit = 20;
          const bounds = [0, ...cuts.map((cut) => cut % (all.length + 1)).sort((a, b) => a - b), all.length];
          const got: string[] = [];
          const long: RefusedLine[] = [];
          const held = new LineLimit(
            { bytes: limit, values: 1_000 },
            (one) => got.push(one.toString()),
            (one) => long.push(one),
          );
          for (const [i, from] of bounds.entries())
            held.push(all.subarray(from, bounds[i + 1] ?? all.length));
          held.end();
          const fits = (one: string) => Buffer.byteLength(one) <= limit;
          expect(got).toEqual(lines.filter(fits));
          expect(long.map(({ bytes, sha256 }) => [bytes, sha256])).toEqual(
            lines
              .filter((one) => !fits(one))
              .map((one) => [Buffer.byteLength(one), createHash('sha256').update(one).digest('hex')]),
          );
        },
      ),
    );
  });

  it('are answered in their place by the id of their request, wherever it stands, and never by one within the result', () => {
    const big = 'x'.repeat(3_000);
    const answered = (message: string) => refusedLineId(passed([message], 1_000).long[0]!);
    expect(answered(`{"jsonrpc":"2.0","id":7,"result":{"text":"${big}","id":9}}`)).toBe(7);
    expect(answered(`{"result":{"id":9,"text":"${big}"},"jsonrpc":"2.0","id":7}`)).toBe(7);
    expect(answered(`{"result":{"text":"${big}"},"id":7,"jsonrpc":"2.0"}`)).toBe(7);
    expect(answered(`{"result":{"text":"${big}","id":9}}`)).toBeNull();
    expect(answered(`{"method":"notifications/message","params":{"data":"${big}"}}`)).toBeNull();
  });
});

describe('S2-47 a server over HTTP', () => {
  let server: Server;
  afterEach(() => new Promise((resolve) => (server.closeAllConnections(), server.close(resolve))));

  it.each(['application/json', 'text/event-stream'])(
    'may send %s of any length: the session continues',
    async (type) => {
      const results: Record<string, (params: { arguments?: { bytes: number } }) => object> = {
        initialize: () => ({
          protocolVersion: '2025-06-18',
          capabilities: { tools: {} },
          serverInfo: { name: 'test', version: '1' },
        }),
        'tools/call': (params) => ({
          content: [{ type: 'text', text: 'x'.repeat(params.arguments!.bytes) }],
        }),
      };
      server = createServer((request, response) => {
        const parts: Buffer[] = [];
        request.on('data', (part: Buffer) => parts.push(part));
        request.on('end', () => {
          if (request.method !== 'POST') return response.writeHead(405).end();
          const { id, method, params } = JSON.parse(Buffer.concat(parts).toString()) as Record<string, never>;
          if (id === undefined) return response.writeHead(202).end();
          const result = results[method ?? '']?.(params ?? {});
          const answer =
            result === undefined ? { error: { code: -32_601, message: 'Method not found' } } : { result };
          const text = JSON.stringify({ ...answer, jsonrpc: '2.0', id });
          response.writeHead(200, { 'content-type': type });
          return response.end(type === 'application/json' ? text : `event: message\ndata: ${text}\n\n`);
        });
      });
      await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
      const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/mcp`;
      const limits = { ...SOME_LIMITS, maxResultBytes: 10_000 };
      const use = { timeoutMs: 1_000, attempts: 1, concurrency: 1 };
      const configured = {
        name: 'far',
        via: { url, headers: {} },
        allow: [],
        required: [],
        pins: {},
        limits,
        use,
      };
      const ports = { lost: () => undefined, changed: () => undefined, log: silentLogger };
      const session = await openSession(configured, ports);
      const call = (bytes: number) => session.call('big', { bytes }, new AbortController().signal);
      await expect(call(20_000_000)).rejects.toMatchObject({
        reasonCode: 'too_large',
        message: expect.stringMatching(/ 200000\d\d bytes with the SHA-256 [0-9a-f]{64}$/),
      });
      expect(session.lost).toBe(false);
      expect(await call(3)).toMatchObject({ content: [{ text: 'xxx' }] });
      await session.close();
    },
  );
});
