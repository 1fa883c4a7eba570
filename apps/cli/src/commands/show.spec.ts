import { run } from '../program.js';
import { decidedCase } from '../testing/decided-case.js';
import { startLocalCasefile, type LocalCasefile } from '../testing/local-casefile.js';
import { memoryTerminal } from '../testing/memory-terminal.js';

let local: LocalCasefile;
beforeEach(async () => {
  local = await startLocalCasefile();
});
afterEach(() => local.close());

async function casefile(...args: string[]): Promise<{ code: number; lines: string[]; errors: string[] }> {
  const terminal = memoryTerminal();
  const code = await run(args, terminal);
  return { code, lines: terminal.lines, errors: terminal.errors };
}

describe('casefile show', () => {
  it('prints a case, and shows escapes instead of obeying them', async () => {
    local.cases.set('case-0', decidedCase('case-0', 'run-0'));
    const { code, lines } = await casefile('show', 'case-0', '--console', local.url);
    expect(code).toBe(0);
    expect(lines.join('\n')).toContain('Pay now\\x1b[2J');
    expect(lines.join('\n')).toContain('- Because \\x1b[31mit says so.');
    expect(lines.join('')).not.toContain('\u001b');
  });

  it('S2-40 says that its sender called it over, and how often it came back', async () => {
    const over = { resolvedAt: '2026-01-05T11:00:00.000Z', flaps: 44 };
    local.cases.set('case-0', { ...decidedCase('case-0', 'run-0'), ...over });
    local.cases.set('case-1', decidedCase('case-1', 'run-1'));
    const { lines } = await casefile('show', 'case-0', '--console', local.url);
    expect(lines).toEqual(
      expect.arrayContaining([
        'over   2026-01-05T11:00:00.000Z  reported by the sender',
        'again  44 occurrences above the hourly limit',
      ]),
    );
    const other = await casefile('show', 'case-1', '--console', local.url);
    expect(other.lines.filter((line) => /^(over|again) /.test(line))).toEqual([]);
  });

  it('ends with 1 for a case that is not there', async () => {
    expect(await casefile('show', 'nobody', '--console', local.url)).toMatchObject({
      code: 1,
      errors: ['casefile: no case has an id that begins or ends with "nobody"'],
    });
  });
});

describe('casefile show of a case in parts', () => {
  const long = 'I weigh the sender. '.repeat(30).trim();
  beforeEach(() => {
    const shown = decidedCase('01900000-0000-7000-8000-00000000abcd', 'run-0');
    const unit = { unit: 'notice', stage: 'reason', round: 1, step: 1 };
    shown.alerts = [{ id: 'a', playbook: 'policy-check', receivedAt: 't', displayTitle: 'Burst hose' }];
    Object.assign(shown.runs[0] ?? {}, {
      artifacts: [{ artifact: 'report', body: { markdown: '## Why\n\nscam\\_db: *0\\: low*' } }],
      toolCalls: [
        {
          ...unit,
          tool: 'facts_get',
          args: { name: 'loss_date' },
          state: 'succeeded',
          reasonCode: null,
          attempts: 1,
        },
      ],
      interactions: [
        {
          ...unit,
          attempt: 1,
          provider: 'p',
          model: 'm',
          state: 'completed',
          errorCode: null,
          hasReasoning: true,
          reasoningContent: long,
          reasoningSummary: null,
          reasoningSource: 'thinking',
        },
      ],
    });
    local.cases.set(shown.id, shown);
    local.cases.set(
      '01900000-0000-7000-8000-00000000ffff',
      decidedCase('01900000-0000-7000-8000-00000000ffff', 'r'),
    );
  });
  const show = async (...args: string[]) => {
    const { code, lines, errors } = await casefile('show', ...args, '--console', local.url);
    return { code, text: lines.join('\n'), errors: errors.join('\n') };
  };

  it('S4-24 says what it is about, which unit asked what, and the beginning of what was thought', async () => {
    const { text } = await show('abcd');
    expect(text).toMatch(/^alert .* Burst hose$/m);
    expect(text).toContain('[notice] facts_get {"name":"loss_date"}  succeeded');
    expect(text).toMatch(/\[notice\] reason round 1 step 1 try 1 .*\n +reasoning: I weigh the sender\..*…$/m);
    expect(text).toContain('    Why\n\n    scam_db: 0: low');
  });

  it('S4-24 prints all that was thought when it is asked to', async () => {
    expect((await show('abcd', '--reasoning')).text).toContain(`reasoning (thinking):\n        ${long}`);
  });

  it('takes a part of an id that one case has, and names those of a part that several have', async () => {
    expect((await show('01900000')).errors).toMatch(
      /2 cases have an id .*: 01900000-\S+ffff, 01900000-\S+abcd$/,
    );
    expect((await show('eeee')).errors).toMatch(/no case has an id that begins or ends with "eeee"/);
    expect((await show('00000000ffff')).code).toBe(0);
  });

  it('shows the newest with --last, and wants one of the two', async () => {
    expect((await show('--last')).text).toContain('00000000ffff');
    expect((await show('abcd', '--last')).code).toBe(2);
  });
});
