import fc from 'fast-check';
import {
  asCasefileError,
  CasefileError,
  silentLogger,
  UnusableAnswer,
  type Json,
  type ModelResponse,
} from '@casefile/contracts';
import { manualClock } from '@casefile/contracts/testing';
import { createLanguageModel } from '../create-language-model.js';
import { PROTOCOLS, type Protocol, type ProviderEntry } from '../provider-entry.js';
import { exchange } from '../exchange.js';
import { readAnswer } from '../model-response.js';
import { READERS } from './readers.js';
import { readProviderTable } from '../provider-table.js';
import { storable } from '../storable.js';
import { fetchOf } from './fetch-of.js';
import { aModelRequest, someCallOptions } from './index.js';
import { serverSentEvents } from './server-sent-events.js';
import { FAKE_WIRES } from './wires/index.js';

/** What a fuzzed body says, each thing to be found again whatever the rest of it looks like. */
const MARK = 'the-answer-to-be-found-again';
const MARKS = [MARK, 'the-thought-to-be-found-again', 'the-call-to-be-found-again'];
const ANSWER = {
  kind: 'answer' as const,
  content: `before ${MARK} after`,
  reasoning: `before ${MARKS[1]} after`,
  toolCalls: [{ id: 'c1', name: 'scam_db', arguments: `{"value":"${MARKS[2]}"}` }],
};

type Outcome = ModelResponse | CasefileError;
type Ask = (protocol: Protocol, body: string, contentType: string) => Promise<Outcome>;

const own = { baseUrl: 'http://127.0.0.1:1', model: 'm', keyVariable: null };
const table = readProviderTable(
  Object.fromEntries(PROTOCOLS.map((protocol) => [`own-${protocol}`, { ...own, protocol }])),
);

function entryOf(protocol: Protocol, contentType: string): ProviderEntry {
  const entry = table.get(`own-${protocol}`);
  if (entry === undefined) throw new Error('no entry');
  // Somebody may want more than the default reads.
  const limits = { ...entry.limits, responseBytes: 32_000_000 };
  return { ...entry, limits, stream: contentType.includes('event-stream') };
}

const partsWith = (ownFetch: typeof fetch) => ({
  apiKey: null,
  clock: manualClock(),
  log: silentLogger,
  send: ownFetch,
  fetch: ownFetch,
});

function caught(thrown: unknown): CasefileError {
  if (thrown instanceof CasefileError) return thrown;
  throw thrown;
}

/** Through the SDK, as the product does it. */
const outcomeOf: Ask = (protocol, body, contentType) => {
  const model = createLanguageModel(
    entryOf(protocol, contentType),
    partsWith(fetchOf(body, { contentType }).fetch),
  );
  return model.complete(aModelRequest(), someCallOptions()).catch(caught);
};

/** Everything that reads, without the SDK that only writes the request. */
const readingOf: Ask = async (protocol, body, contentType) => {
  const entry = entryOf(protocol, contentType);
  const parts = partsWith(fetchOf(body, { contentType }).fetch);
  const call = { signal: new AbortController().signal, onEvent: READERS[protocol].delta };
  try {
    const raw = await exchange(entry, parts, call, (ownFetch) => ownFetch('http://127.0.0.1:1'));
    return readAnswer(entry, raw, READERS[protocol], parts);
  } catch (thrown) {
    return caught(thrown);
  }
};

/** Nothing may crash; and what was in the body is in the answer or, unread, in its raw body. */
async function holds(
  protocol: Protocol,
  body: string,
  contentType: string,
  ask: Ask = readingOf,
): Promise<void> {
  const outcome = await ask(protocol, body, contentType);
  if (outcome instanceof CasefileError && !(outcome instanceof UnusableAnswer)) {
    expect(outcome.reasonCode).toMatch(/^[a-z_]+$/);
    expect(outcome.reasonCode).not.toBe('unexpected');
    // A failure that the provider reports in place of an answer.
    return;
  }
  const response = outcome instanceof UnusableAnswer ? outcome.response : outcome;
  for (const count of Object.values(response.usage)) expect(count).toBeGreaterThanOrEqual(0);
  const kept = JSON.stringify(response);
  const stored = JSON.parse(kept) as Json;
  // The body is some levels down in it.
  expect(storable(stored, -10)).toEqual(stored);
  for (const mark of MARKS.filter((one) => body.includes(one))) expect(kept).toContain(mark);
}

type Change = { at: number; to: Json; how: 'replace' | 'remove' | 'list' | 'wrap' };
const change: fc.Arbitrary<Change> = fc.record({
  at: fc.nat(60),
  to: fc.oneof(
    fc.constantFrom<Json>(null, '', '\0', -1, 1e300, true, [], {}, [null], 'x'.repeat(50), '\uD800'),
    fc.jsonValue({ maxDepth: 2 }) as fc.Arbitrary<Json>,
  ),
  how: fc.constantFrom('replace', 'remove', 'list', 'wrap'),
});

/** The value with one place of it replaced, taken away, or put into something that is unexpected there. */
function changed(value: Json, { at, to, how }: Change): Json {
  let place = at;
  const walk = (inner: Json): Json => {
    place -= 1;
    if (place === -1) return { replace: to, remove: null, list: [inner], wrap: { odd: inner } }[how];
    if (place < -1 || typeof inner !== 'object' || inner === null) return inner;
    if (Array.isArray(inner)) return inner.map(walk);
    const entries = Object.entries(inner).flatMap(([key, item]) => {
      const gone = place === 0 && how === 'remove';
      const kept = walk(item);
      return gone ? [] : [[key, kept] as const];
    });
    return Object.fromEntries(entries);
  };
  return walk(value);
}

/**
 * Tests that bad answers of models neither crash nor lose what they say, over every protocol.
 * @param runs Answers of each kind that is changed at random.
 */
export function readsBadAnswers(runs: number): void {
  describe.each(PROTOCOLS)('R13 bad answers over %s', (protocol) => {
    const wire = FAKE_WIRES[protocol];

    it('neither crash nor lose what a changed body says', async () => {
      const changes = fc.array(change, { minLength: 1, maxLength: 4 });
      await fc.assert(
        fc.asyncProperty(changes, async (list) => {
          const body = list.reduce<Json>(changed, wire.body(ANSWER));
          await holds(protocol, JSON.stringify(body), 'application/json');
        }),
        { numRuns: runs },
      );
    });

    it('neither crash nor lose what changed events say', async () => {
      const changes = fc.array(fc.tuple(fc.nat(100), change), { minLength: 1, maxLength: 3 });
      await fc.assert(
        fc.asyncProperty(changes, async (list) => {
          // Each text in one event, so that it can be found again.
          const events: Json[] = wire.events(ANSWER, 1_000);
          for (const [index, one] of list) {
            const place = index % events.length;
            events[place] = changed(events[place] ?? null, one);
          }
          await holds(protocol, serverSentEvents(events, wire), 'text/event-stream');
        }),
        { numRuns: runs },
      );
    });

    it('neither crash nor lose anything on the way through the SDK', async () => {
      await fc.assert(
        fc.asyncProperty(change, fc.boolean(), async (one, streamed) => {
          if (streamed) {
            const events = wire.events(ANSWER, 1_000).map((event) => changed(event, one));
            await holds(protocol, serverSentEvents(events, wire), 'text/event-stream', outcomeOf);
          } else {
            const body = changed(wire.body(ANSWER), one);
            await holds(protocol, JSON.stringify(body), 'application/json', outcomeOf);
          }
        }),
        { numRuns: 50 },
      );
    });

    it('lose nothing when the same thing is wrong in every event: parts that claim one place stand side by side', async () => {
      for (let at = 0; at < 12; at += 1)
        for (const to of [-1, 0, null]) {
          const events = wire
            .events(ANSWER, 1_000)
            .map((event) => changed(event, { at, to, how: 'replace' }));
          await holds(protocol, serverSentEvents(events, wire), 'text/event-stream');
        }
    });

    it('do not crash, whatever they are', async () => {
      const text = fc.oneof(fc.string({ unit: 'binary' }), fc.json(), fc.json({ noUnicodeString: false }));
      const contentType = fc.constantFrom('application/json', 'text/event-stream', 'text/html', '');
      await fc.assert(
        fc.asyncProperty(text, contentType, fc.boolean(), async (given, type, framed) => {
          await holds(protocol, framed ? `data: ${given}\n\n` : given, type);
        }),
        { numRuns: runs / 2 },
      );
    });

    it('S2-22 keep 5 MB of reasoning, and what no store takes is marked', async () => {
      const reasoning = 'r'.repeat(5_000_000);
      const answer = { kind: 'answer' as const, content: 'a\0b\uD800c', reasoning };
      const response = await outcomeOf(protocol, JSON.stringify(wire.body(answer)), 'application/json');
      expect(response).toMatchObject({
        content: 'a\uFFFDb\uFFFDc',
        raw: { bodyLeftOut: true, characters: expect.any(Number) },
      });
      expect('reasoning' in response && response.reasoning?.content).toHaveLength(5_000_000);
    });

    it('S2-22 are cut where they are nested beyond all sense', async () => {
      const deep = '['.repeat(20_000) + ']'.repeat(20_000);
      const deepened = (text: string) => text.replaceAll('"DEEP"', deep);
      const events = wire.events(ANSWER, 1_000);
      // Twice under one name: the second must be compared with the first.
      const stream = [...events.slice(0, 1), { x: 'DEEP' }, { x: 'DEEP' }, ...events.slice(1)];
      const bodies = [{ ...wire.body(ANSWER), x: 'DEEP' }, { error: { message: 'DEEP' } }];
      for (const body of bodies) await holds(protocol, deepened(JSON.stringify(body)), 'application/json');
      for (const list of [stream, [{ error: { x: 'DEEP' } }]])
        await holds(protocol, deepened(serverSentEvents(list, wire)), 'text/event-stream');
    });

    it('S1-29 estimate negative usage from the texts, and mark it', async () => {
      const usage = { input: -5, output: -3, reasoning: -2, cached: -1 };
      const response = await outcomeOf(
        protocol,
        JSON.stringify(wire.body({ kind: 'answer', content: 'x', usage })),
        'application/json',
      );
      expect(response).toMatchObject({ content: 'x', raw: { usageEstimated: true } });
      expect((response as ModelResponse).usage.outputTokens).toBeGreaterThan(0);
    });

    it('name the parts that are not known, and keep them raw', async () => {
      const body = JSON.stringify(wire.body({ kind: 'answer', content: MARK })).replaceAll(
        /"(text|output_text)":"the|"content":"the/g,
        (found) =>
          found.startsWith('"content') ? '"content":[{"type":"hologram"}],"x":"the' : '"hologram":"the',
      );
      const outcome = await outcomeOf(protocol, body, 'application/json');
      expect(outcome).toBeInstanceOf(UnusableAnswer);
      expect(asCasefileError(outcome)).toMatchObject({ reasonCode: 'bad_answer' });
      const { response } = outcome as UnusableAnswer;
      expect(response.unread?.[0]).toMatch(/\[0\]/);
      expect(JSON.stringify(response.raw)).toContain('hologram');
    });

    it('of a stream keep what came before it failed', async () => {
      const events = [...wire.events({ kind: 'answer', content: MARK }).slice(0, -1)];
      const failure = wire.failure({
        kind: 'status',
        status: 429,
        code: 'rate_limit_error',
        message: 'slow down',
      });
      const outcome = await outcomeOf(
        protocol,
        serverSentEvents([...events, failure], { named: wire.named }),
        'text/event-stream',
      );
      expect(outcome).toBeInstanceOf(UnusableAnswer);
      expect(outcome).toMatchObject({ reasonCode: 'rate_limited', retryable: true });
      expect(JSON.stringify((outcome as UnusableAnswer).response)).toContain(MARK.slice(0, 7));
    });
  });
}
