import pc from 'picocolors';
import { tally, verdictLine, type DecidedCase } from './verdict-line.js';

const plain = { colors: pc.createColors(false), width: 160 };

function decided(over: Partial<DecidedCase['verdict']> = {}, text = 'Your parcel is held'): DecidedCase {
  const verdict = {
    outcome: { riskLevel: 'high' },
    disposition: 'act',
    confidence: 0.85,
    method: 'llm',
    degraded: false,
    ...over,
  } as const;
  return {
    caseId: 'c',
    runId: 'r',
    playbook: 'scam-verdict',
    text,
    verdict,
    link: 'http://localhost:3000/cases/c',
  };
}

describe('verdictLine', () => {
  it('says disposition, outcome, confidence, playbook, text and link', () => {
    expect(verdictLine(decided(), plain)).toMatch(
      /^act {6}high {4}0\.85 {2}scam-verdict {2}Your parcel is held +http:\/\/localhost:3000\/cases\/c$/,
    );
  });

  it('is one line, and shows escapes of the text instead of obeying them', () => {
    const line = verdictLine(decided({}, 'pay\n\u001b]8;;http://evil.example\u0007here'), plain);
    expect(line).toContain('pay \\x1b]8;;http://evil.example\\x07here');
    expect(line).not.toMatch(/\p{Cc}/u);
  });

  it('marks what a model was to judge and something kept it from', () => {
    expect(verdictLine(decided({ degraded: true }), plain)).toContain('DEGRADED Your parcel');
    expect(verdictLine(decided({ degraded: true, method: 'heuristic' }), plain)).not.toContain('DEGRADED');
  });

  it('escapes an outcome that a model wrote', () => {
    expect(verdictLine(decided({ outcome: { action: '\u001b[2Jx' } }), plain)).toContain('\\x1b[2Jx');
  });

  it('has colours where it is told so, and only there', () => {
    const colored = verdictLine(decided(), { ...plain, colors: pc.createColors(true) });
    expect(colored).toContain('\u001b[31mact');
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
    expect(tally(all)).toBe('1 act, 0 review, 2 dismiss; 2 by the model, 1 by heuristics');
  });
});
