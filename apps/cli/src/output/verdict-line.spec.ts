import pc from 'picocolors';
import {
  costLine,
  tally,
  verdictHeader,
  verdictLine,
  missingLine,
  type DecidedCase,
} from './verdict-line.js';

const plain = { colors: pc.createColors(false), width: 160 };

function decided(
  over: Partial<DecidedCase['verdict']> = {},
  text = 'Your parcel is held',
  shown: Partial<DecidedCase['shown']> = {},
): DecidedCase {
  const verdict = {
    disposition: 'act',
    confidence: 0.85,
    method: 'llm',
    degraded: false,
    degradedNote: '',
    ...over,
  } as const;
  return {
    caseId: 'c',
    runId: 'r',
    playbook: 'scam-verdict',
    text,
    verdict,
    shown: { word: 'scam', answer: 'high risk', confidenceApplies: true, summary: '', ...shown },
    link: 'http://localhost:3000/cases/c',
    cost: { usd: 0, tokens: 0, calls: 0 },
    wants: { model: false, settings: [] },
  };
}

describe('verdictLine', () => {
  it('says the verdict in its reader’s word, what was answered, confidence, who judged, playbook, text and link, each below its name', () => {
    expect(verdictLine(decided(), plain)).toMatch(
      /^scam {6}high risk {4}0\.85 {3}model {2}scam-verdict {7}Your parcel is held +http:\/\/localhost:3000\/cases\/c$/,
    );
    const header = verdictHeader(plain);
    const line = verdictLine(decided(), plain);
    for (const [name, word] of Object.entries({
      answer: 'high',
      conf: '0.85',
      by: 'model',
      kind: 'scam-',
      alert: 'Your',
    }))
      expect(header.indexOf(name)).toBe(line.indexOf(word));
  });

  it('is one line, and shows escapes of the text instead of obeying them', () => {
    const line = verdictLine(decided({}, 'pay\n\u001b]8;;http://evil.example\u0007here'), plain);
    expect(line).toContain('pay \\x1b]8;;http://evil.example\\x07here');
    expect(line).not.toMatch(/\p{Cc}/u);
  });

  it.each(['llm', 'heuristic'] as const)('S1-17 marks what was missing, judged by %s', (method) => {
    const of = (degradedNote: string, degraded = true) =>
      verdictLine(decided({ method, degraded, degradedNote }), plain);
    expect(of('model out')).toContain('[model out] Your parcel');
    expect(of('3 of 7 look-ups failed')).toContain('[3 of 7 look-ups failed] Your parcel');
    // A verdict from before `degradedNote` was introduced.
    expect(of('')).toContain('[degraded] Your parcel');
    expect(of('', false)).not.toContain('[');
  });

  it('S4-23 shows what was settled before the text, where the kind of case says it', () => {
    const summary = '1 of 3 criteria settled: notice not met';
    expect(verdictLine(decided({ confidence: 0 }, 'Burst hose', { summary }), plain)).toContain(
      '1 of 3 criteria settled: notice not met · Burst hose',
    );
  });

  it('S1-17 shows no confidence of an answer that nothing proved', () => {
    const line = verdictLine(
      decided({ confidence: 1 }, 'Unpaid toll', { answer: 'unconfirmed', confidenceApplies: false }),
      plain,
    );
    expect(line).toMatch(/^scam {6}unconfirmed {2}- {6}model /);
    expect(line).not.toContain('1.00');
  });

  it('escapes an outcome that a model wrote', () => {
    expect(verdictLine(decided({}, 'x', { answer: '\u001b[2Jx' }), plain)).toContain('\\x1b[2Jx');
  });

  it('has colours only if configured', () => {
    const colored = verdictLine(decided(), { ...plain, colors: pc.createColors(true) });
    expect(colored).toContain('\u001b[31mscam');
    expect(verdictLine(decided(), plain)).not.toContain('\u001b');
  });

  it('cuts a long text to the room there is', () => {
    const line = verdictLine(decided({}, 'word '.repeat(400)), { ...plain, width: 120 });
    expect(line.length).toBeLessThanOrEqual(120);
    expect(line).toContain('…');
  });
});

describe('tally', () => {
  it('counts dispositions and who decided', () => {
    const all = [
      decided(),
      decided({ disposition: 'dismiss', method: 'heuristic' }),
      decided({ disposition: 'dismiss' }),
    ];
    expect(tally(all)).toBe('1 act, 0 review, 2 dismiss; 2 by the model, 1 by rules');
    const out = decided({
      disposition: 'review',
      method: 'heuristic',
      degraded: true,
      degradedNote: 'timeout',
    });
    expect(tally([...all, out])).toBe(
      '1 act, 1 review, 2 dismiss; 2 by the model, 2 by rules; 1 degraded, marked with what was missing',
    );
  });
});

describe('what is said of many verdicts', () => {
  const asking = (over: Partial<DecidedCase>) => ({ ...decided(), ...over });

  it('counts what would answer more, the most wanted first, and says nothing where nothing is wanting', () => {
    const all = [
      asking({ wants: { model: true, settings: ['A_KEY', 'B_KEY or B_URL'] } }),
      asking({ wants: { model: false, settings: ['B_KEY or B_URL'] } }),
    ];
    expect(missingLine(all)).toMatch(
      /^1 of 2 verdicts lack a model: set OPENAI_API_KEY.*hand-written answers; 2 look-ups need B_KEY or B_URL; 1 look-ups need A_KEY\.$/,
    );
    expect(missingLine([decided()])).toBeNull();
  });

  it('adds up the cost of model calls', () => {
    const paid = asking({ cost: { usd: 0.0021, tokens: 1_500, calls: 2 } });
    expect(costLine([paid, paid])).toBe('4 model calls, 3,000 tokens, $0.0042');
    expect(costLine([decided()])).toBeNull();
  });
});
