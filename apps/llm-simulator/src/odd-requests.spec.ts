import fc from 'fast-check';
import { CasefileError } from '@casefile/contracts';
import type { Json, JsonObject } from '@casefile/contracts';
import { answerByRules } from './answer-by-rules.js';
import { createMemory } from './memory.js';
import { readScript } from './script.js';
import { WIRES } from './wires/index.js';
import type { Protocol, WireContext } from './wires/wire.js';

const HEADERS = { 'x-api-key': 'any', 'x-goog-api-key': 'any', 'anthropic-version': '2026-10-21' };
/** Field names of all wires. Odd messages are made from them, so that they pass the first check. */
const KEYS =
  'role content parts text type thinking signature data tool_calls tool_call_id function name arguments id call_id encrypted_content summary functionCall functionResponse thoughtSignature tool_use_id'.split(
    ' ',
  );
const WORDS =
  'text thinking redacted_thinking tool_use tool_result reasoning function_call function_call_output message c1'.split(
    ' ',
  );
const leaf = fc.oneof(fc.constantFrom<Json>(...WORDS, null, true, 7, '', '{}'), fc.string());
const { odd } = fc.letrec<{ odd: Json }>((tie) => ({
  odd: fc.oneof(
    { maxDepth: 3 },
    leaf,
    fc.array(tie('odd'), { maxLength: 3 }),
    fc.dictionary(fc.constantFrom(...KEYS), tie('odd'), { maxKeys: 5 }),
  ),
}));
const part = fc.dictionary(fc.constantFrom(...KEYS), odd, { maxKeys: 4 });
const listOf = <T>(item: fc.Arbitrary<T>) => fc.array(item, { minLength: 1, maxLength: 4 });
const role = (...roles: string[]) => fc.constantFrom(...roles);
const messages = (...roles: string[]) =>
  listOf(fc.record({ role: role(...roles), content: fc.oneof(fc.string({ minLength: 1 }), listOf(part)) }));
const model = fc.constant('any');

const BODIES: Record<Protocol, [path: string, body: fc.Arbitrary<JsonObject>]> = {
  'openai-chat': ['', fc.record({ model, messages: messages('system', 'user', 'assistant', 'tool') })],
  'openai-responses': [
    '',
    fc.record({ model, input: fc.oneof(messages('user', 'assistant'), listOf(part)) }),
  ],
  anthropic: [
    '',
    fc.record({ model, max_tokens: fc.constant(100), messages: messages('user', 'assistant') }),
  ],
  gemini: [
    '/v1beta/models/gemini-3-pro:generateContent',
    fc.record({ contents: listOf(fc.record({ role: role('user', 'model'), parts: listOf(part) })) }),
  ],
  'openai-embeddings': ['', fc.record({ model, input: odd })],
};

describe.each(WIRES.map((wire) => [wire.protocol, wire] as const))('%s', (protocol, wire) => {
  it('R13 answers odd requests or refuses them in words', () => {
    const script = readScript({ chat: { requireReasoning: true } });
    const context: WireContext = { script, memory: createMemory() };
    const [path, bodies] = BODIES[protocol];
    const met = { answered: 0, refused: 0 };
    const ask = (body: JsonObject) => {
      const call = { path, query: new URLSearchParams(), headers: HEADERS, body };
      const exchange = wire.read(call, context);
      const answer = answerByRules(exchange.question);
      return JSON.stringify([exchange.whole(answer, 1), exchange.events(answer, 1)]);
    };
    fc.assert(
      fc.property(bodies, (drawn) => {
        // Parsed as after transport: a generated object may have no prototype, but a parsed object always has
        // one.
        const body = JSON.parse(JSON.stringify(drawn)) as JsonObject;
        try {
          expect(ask(body)).toContain('casefile-simulator');
          met.answered += 1;
        } catch (thrown) {
          if (!(thrown instanceof CasefileError)) throw thrown;
          met.refused += 1;
        }
      }),
      { numRuns: 200, seed: 7 },
    );
    // Both outcomes must be frequent enough for the test to prove something.
    expect(Math.min(met.answered, met.refused)).toBeGreaterThan(10);
  });
});
