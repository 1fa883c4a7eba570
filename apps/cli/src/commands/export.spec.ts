import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { temporaryFolder } from '@casefile/contracts/testing';
import { folderName } from '@casefile/pipeline';
import type { ShownCase } from '../client/console-client.js';
import { run } from '../program.js';
import { decidedCase } from '../testing/decided-case.js';
import { startLocalCasefile, type LocalCasefile } from '../testing/local-casefile.js';
import { memoryTerminal } from '../testing/memory-terminal.js';

let local: LocalCasefile;
beforeEach(async () => void (local = await startLocalCasefile()));
afterEach(() => local.close());

const modelCall = (stage: string, round: number, state: string, text: string) => ({
  stage,
  round,
  state,
  promptId: `research/${stage}@1`,
  model: 'model-1',
  usage: { inputTokens: 7, outputTokens: 3, reasoningTokens: 0, cachedTokens: 0 },
  latencyMs: 12,
  createdAt: '2026-01-05T10:00:00Z',
  request: { messages: [{ role: 'user', content: `asked: ${text}` }] },
  response: { content: text },
});

function researched(): ShownCase {
  const shown = decidedCase('case-0', 'run-0');
  const [only] = shown.runs;
  const interactions = [
    modelCall('reason', 1, 'failed', 'no JSON'),
    modelCall('reason', 1, 'completed', 'a draft'),
    modelCall('critique', 1, 'completed', 'REJECT'),
    modelCall('reason', 2, 'completed', 'a better draft'),
    modelCall('critique', 2, 'completed', 'PASS'),
    modelCall('write', 2, 'completed', 'a report'),
  ];
  const verdict = { ...only!.verdict!, outcome: { mode: 'strict', rounds: 2, ruling: 'PASS' } };
  const alerts = [{ ...shown.alerts[0]!, displayTitle: '../電價/會 漲嗎？\u0000' }];
  return {
    ...shown,
    caseId: 'case-0',
    alerts,
    runs: [{ ...only!, settings: { ...only!.settings, playbook: 'research' }, interactions, verdict }],
  } as unknown as ShownCase;
}

describe('casefile export iterations', () => {
  it('S5-40 writes each round of each role and a summary, in a folder with a name that is safe everywhere', async () => {
    local.cases.set('case-0', researched());
    const folder = temporaryFolder('export');
    const terminal = memoryTerminal();
    const code = await run(['export', 'iterations', 'case-0', folder, '--console', local.url], terminal);
    expect([code, terminal.errors]).toEqual([0, []]);
    expect(await readdir(folder)).toEqual(['電價_會_漲嗎_case-0']);
    const own = join(folder, '電價_會_漲嗎_case-0');
    expect((await readdir(own)).sort()).toEqual([
      'iteration_1_analyst.json',
      'iteration_1_critic.json',
      'iteration_2_analyst.json',
      'iteration_2_critic.json',
      'iteration_2_writer.json',
      'session_summary.json',
    ]);
    const read = async (name: string) => JSON.parse(await readFile(join(own, name), 'utf8')) as object;
    expect(await read('iteration_1_analyst.json')).toEqual({
      iteration: 1,
      agent: 'analyst',
      input_prompt: { messages: [{ role: 'user', content: 'asked: a draft' }] },
      output_response: { content: 'a draft' },
      metadata: {
        time: '2026-01-05T10:00:00Z',
        model: 'model-1',
        tokens: { inputTokens: 7, outputTokens: 3, reasoningTokens: 0, cachedTokens: 0 },
        ms: 12,
        mode: 'strict',
        calls: 2,
        state: 'completed',
      },
    });
    expect(await read('session_summary.json')).toMatchObject({
      total_iterations: 2,
      final_status: 'PASS',
      mode: 'strict',
    });
  });

  it('writes the rounds of many cases as JSON Lines, to standard output or a new file', async () => {
    for (const caseId of ['case-0', 'case-1']) local.cases.set(caseId, { ...researched(), caseId });
    const terminal = memoryTerminal();
    const many = [
      'export',
      'iterations',
      '--console',
      local.url,
      '--filter',
      'playbook=research',
      'from=2026-01-01',
    ];
    expect(await run(many, terminal)).toBe(0);
    const lines = terminal.lines.map((line) => JSON.parse(line) as Record<string, unknown>);
    expect(
      lines.map((line) => `${String(line['case'])} ${String(line['iteration'])} ${String(line['agent'])}`),
    ).toEqual(
      ['case-1', 'case-0'].flatMap((id) =>
        ['1 analyst', '1 critic', '2 analyst', '2 critic', '2 writer'].map((round) => `${id} ${round}`),
      ),
    );
    expect(lines[0]).toMatchObject({
      run: 'run-0',
      playbook: 'research',
      output_response: { content: 'a draft' },
    });
    expect(terminal.errors).toEqual(['casefile: 10 rounds of 2 cases']);
    expect(local.lists).toEqual([expect.stringContaining('playbook=research&from=2026-01-01')]);

    const file = join(temporaryFolder('export'), 'rounds.jsonl');
    expect(await run([...many, '--out', file], memoryTerminal())).toBe(0);
    expect((await readFile(file, 'utf8')).trimEnd().split('\n')).toEqual(terminal.lines);
  });

  it.each([
    [['--filter', 'colour=red'], 'expected playbook, status, from, to, each with =value, got colour=red'],
    [['case-0'], 'expected either CASE and FOLDER, or --filter'],
    [['case-0', '.', '--filter', 'playbook=research'], 'expected either CASE and FOLDER, or --filter'],
  ])('refuses %j', async (args, message) => {
    const terminal = memoryTerminal();
    expect(await run(['export', 'iterations', ...args, '--console', local.url], terminal)).toBe(1);
    expect(terminal.errors.join('\n')).toContain(message);
  });

  it.each([
    ['../../etc/passwd', 'etc_passwd_c'],
    ['a'.repeat(300), `${'a'.repeat(40)}_c`],
    ['???', 'case_c'],
  ])('S5-40 makes a name of %s', (title, name) => {
    expect(folderName({ id: 'c', title })).toBe(name);
  });
});
