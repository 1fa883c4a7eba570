import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { json } from 'node:stream/consumers';
import { run } from '../program.js';
import { memoryTerminal } from '../testing/memory-terminal.js';

const CASE = '01a2070d-5c75-7112-802b-40376654feda';
const ASKED = {
  unit: '',
  stage: 'triage',
  round: 1,
  step: 1,
  name: 'clarification',
  question: 'Which year?',
  options: [
    { value: 'as-asked', label: 'As it was asked' },
    { value: 'reading-1', label: '2025' },
  ],
  fallback: 'as-asked',
  value: null,
  by: null,
  askedAt: '2026-01-05T10:00:00.000Z',
  until: '2026-01-05T10:05:00.000Z',
  givenAt: null,
};

let server: Server;
let requests: { path: string; body: unknown }[];
/** Answers of the console by the end of the path. */
let answers: Record<string, [status: number, body: object]>;
beforeEach(async () => {
  requests = [];
  answers = {};
  server = createServer((request, response) => {
    const path = request.url ?? '';
    const [, [status, body]] = Object.entries(answers).find(([end]) => path.endsWith(end))!;
    void (request.method === 'POST' ? json(request) : Promise.resolve(null)).then((sent) => {
      requests.push({ path, body: sent });
      response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
});
afterEach(() => {
  server.closeAllConnections();
  server.close();
});

async function casefile(...args: string[]) {
  const terminal = memoryTerminal();
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const code = await run([...args, '--console', url], terminal);
  return { code, output: terminal.lines.join('\n'), failed: terminal.errors.join('\n') };
}

describe('casefile signal', () => {
  it('S5-25 lists what the runs of a case ask, and answers it', async () => {
    answers = {
      [CASE]: [200, { caseId: CASE, runs: [{ signals: [ASKED] }, {}] }],
      clarification: [
        200,
        { runId: 'r', repeated: false, signal: { ...ASKED, value: 'reading-1', by: 'ann' } },
      ],
    };
    const listed = await casefile('signal', CASE);
    expect(listed).toMatchObject({ code: 0 });
    expect(listed.output).toContain('clarification: Which year? (open until 2026-01-05T10:05:00.000Z');
    expect(listed.output).toContain('  reading-1: 2025');
    const given = await casefile('signal', CASE, 'clarification', 'reading-1', '--by', 'ann');
    expect(given).toMatchObject({ code: 0, output: 'given: clarification reading-1' });
    expect(requests.at(-1)).toEqual({
      path: `/api/v1/cases/${CASE}/signals/clarification`,
      body: { option: 'reading-1', by: 'ann' },
    });
  });

  it('S5-25 says what is wrong with an option, and that one is missing', async () => {
    const errors = [{ path: 'option', message: 'expected one of as-asked, reading-1' }];
    const problem = {
      type: 'urn:x',
      title: 't',
      status: 400,
      reasonCode: 'invalid_input',
      detail: 'not valid',
      errors,
    };
    answers = { clarification: [400, problem] };
    const wrong = await casefile('signal', CASE, 'clarification', 'x');
    expect(wrong.code).toBe(1);
    expect(wrong.failed).toContain('expected one of as-asked, reading-1');
    expect((await casefile('signal', CASE, 'clarification')).failed).toContain(
      'expected an option of clarification',
    );
  });
});

describe('casefile raise', () => {
  it('raises the budget that a run waits for, in its measure', async () => {
    const raised = { runId: 'r', key: `case:${CASE}:usd`, window: 'all', limit: 750_000, spent: 240_000 };
    answers = { budget: [200, raised] };
    const { code, output } = await casefile('raise', CASE, '--usd', '0.5', '--by', 'ann');
    expect([code, output]).toEqual([0, `raised: case:${CASE}:usd: $0.24 of $0.75 spent; the run continues`]);
    expect(requests).toEqual([{ path: `/api/v1/cases/${CASE}/budget`, body: { usd: 0.5, by: 'ann' } }]);
  });

  it('refuses a number of tokens that is none before anything is asked', async () => {
    const { code, failed } = await casefile('raise', CASE, '--tokens', 'many');
    expect([code, requests]).toEqual([2, []]);
    expect(failed).toContain(
      "option '--tokens <number>' argument 'many' is invalid. Expected a whole number",
    );
  });
});
