import { CasefileError, type ChosenOption } from '@casefile/contracts';
import { fakePorts } from '@casefile/pipeline/testing/fake-ports';
import { triage } from '@casefile/pipeline/stages';
import { playResearch } from './testing/research-world.js';
import {
  analyst,
  critic,
  discovery,
  GOOD,
  outcome,
  prompts,
  texts,
  writer,
} from './testing/research-builders.js';
import { research } from './playbook.js';

const readings = (ambiguityType = 'time') =>
  JSON.stringify({
    ambiguityType,
    question: '您問的是哪一年的4月？',
    options: [
      { label: '2025年4月', query: '電價2025年4月是否調漲三成？' },
      { label: '2024年4月', query: '電價2024年4月是否調漲三成？' },
    ],
  });
const asked = discovery({ clarify: true });
const WORK = [analyst(GOOD), critic('PASS'), writer(GOOD)];
const by = (value: string): ChosenOption => ({ value, by: 'ops', at: '2025-04-02T02:01:00.000Z' });

describe('a question that can be read in several ways', () => {
  it('S5-25 waits with its readings as options, and continues as asked by itself', async () => {
    const ports = fakePorts({
      playbook: research,
      script: [readings()],
      settings: { options: research.options.defaults },
      chosen: null,
    });
    const alert = {
      id: 'a',
      playbook: research.name,
      payload: asked,
      receivedAt: '2025-04-02T02:00:00.000Z',
    };
    const waits = await triage.run({ alert, artifacts: {}, previous: {}, units: [] }, ports);
    expect(waits).toMatchObject({
      kind: 'wait',
      calls: [],
      timeoutMs: 300_000,
      signal: {
        name: 'clarification',
        question: '您問的是哪一年的4月？',
        options: [
          { value: 'as-asked', label: '照原題查證' },
          { value: 'reading-1', label: '2025年4月' },
          { value: 'reading-2', label: '2024年4月' },
        ],
        fallback: 'as-asked',
      },
    });
    const played = await playResearch(asked, { answers: [readings(), ...WORK] });
    expect(prompts(played)[0]).toBe('research/clarification-zh');
    expect(texts(played)[1]).toContain('電價4月是否調漲三成？');
    expect(played.verdict.reasons.join(' ')).toContain('did not say in time which reading was meant');
  });

  it('S5-25 is asked by the reading that was chosen from then on', async () => {
    const played = await playResearch(asked, { answers: [readings(), ...WORK], chosen: by('reading-1') });
    expect(
      texts(played)
        .slice(1)
        .every((text) => text.includes('電價2025年4月是否調漲三成？')),
    ).toBe(true);
    expect(outcome(played).items[0]?.name).toBe('深度研究報告：電價2025年4月是否調漲三成？');
    expect(played.verdict.reasons).toContain('Its asker chose the reading “2025年4月”.');
  });

  it('S5-25 asks nothing back where it is not told to, or where the days are named', async () => {
    const plain = [discovery(), discovery({ clarify: false })];
    const dated = discovery({ clarify: true, temporalContext: { from: '2025-01-01' } });
    for (const payload of [...plain, dated])
      expect(prompts(await playResearch(payload, { answers: WORK }))[0]).toBe('research/analyst-research-zh');
  });

  it.each([
    ['finds nothing open', readings('none')],
    ['cannot be read', 'Which year?'],
    ['fails', new CasefileError('server_error', 'no')],
    ['finds no room in a budget', new CasefileError('budget_exhausted', 'no room')],
  ])('S5-25 continues where the question about it %s', async (_, answer) => {
    const played = await playResearch(asked, { answers: [answer, ...WORK], chosen: by('reading-1') });
    expect(outcome(played)).toMatchObject({ converged: true, rounds: 1 });
    expect(texts(played)[1]).toContain('電價4月是否調漲三成？');
    expect(played.verdict).toMatchObject({ disposition: 'act', degraded: false });
  });
});
