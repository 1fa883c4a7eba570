import fc from 'fast-check';
import type { ModelMessage, ModelRequest, PromptKind } from '@casefile/contracts';
import { goldenFile } from '../testing/golden-file.js';
import { encourageReasoning } from './encourage-reasoning.js';

const KINDS: PromptKind[] = ['tool-selection', 'analysis', 'partial-analysis', 'answer', 'critique', 'write'];

function aRequest(kind: PromptKind, messages: ModelMessage[]): ModelRequest {
  return { promptId: `incident/${kind}@1`, kind, messages, maxOutputTokens: 500 };
}

const FIRST: ModelMessage[] = [
  { role: 'system', content: 'You look into incidents.' },
  { role: 'user', content: 'Disk full on db-1. Which tools are to be asked?' },
];
const FURTHER: ModelMessage[] = [
  ...FIRST,
  { role: 'assistant', content: '', toolCalls: [{ id: 't1', name: 'disk_usage', args: { host: 'db-1' } }] },
  { role: 'tool', toolCallId: 't1', content: '97 %' },
];
const TURNS = { first: FIRST, further: FURTHER, 'without-system': FIRST.slice(1) };

const golden = (name: string) => new URL(`__golden__/${name}.json`, import.meta.url);
const bytes = (request: ModelRequest) => `${JSON.stringify(request, null, 2)}\n`;

describe('S2-03 the encouragement to think aloud', () => {
  for (const kind of KINDS) {
    for (const [turn, messages] of Object.entries(TURNS)) {
      it(`has the bytes of its golden files in the ${turn} prompt of the kind ${kind}, off and on`, () => {
        const off = bytes(aRequest(kind, messages));
        const on = bytes(encourageReasoning(aRequest(kind, messages)));
        expect(off).toBe(goldenFile(golden(`${kind}.${turn}.off`), off));
        expect(on).toBe(goldenFile(golden(`${kind}.${turn}.on`), on));
        if (kind === 'tool-selection') expect(on).not.toBe(off);
        else expect(on).toBe(off);
      });
    }
  }

  it('asks for symptoms, steps of the runbook, tools and their parameters, inside <thinking>', () => {
    const text = JSON.stringify(encourageReasoning(aRequest('tool-selection', FIRST)).messages[0]);
    for (const word of ['<thinking>', 'symptoms', 'runbook', 'tools', 'exact parameters']) {
      expect(text).toContain(word);
    }
  });

  it('names itself in the id of the prompt, and leaves what it was given alone', () => {
    const request = aRequest('tool-selection', FURTHER);
    const before = bytes(request);
    expect(encourageReasoning(request).promptId).toBe('incident/tool-selection@1+encourage-reasoning@1');
    expect(bytes(request)).toBe(before);
  });

  it('changes nothing but the system message, whatever else is said', () => {
    const message = fc.record({ role: fc.constantFrom('user', 'system'), content: fc.string() });
    fc.assert(
      fc.property(fc.array(message), fc.constantFrom(...KINDS), (messages, kind) => {
        const request = aRequest(kind, messages as ModelMessage[]);
        const encouraged = encourageReasoning(request);
        if (kind !== 'tool-selection') return void expect(encouraged).toBe(request);
        const skipped = messages[0]?.role === 'system' ? 1 : 0;
        expect(encouraged.messages.slice(1)).toEqual(messages.slice(skipped));
      }),
    );
  });
});
