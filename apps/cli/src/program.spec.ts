import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { temporaryFolder } from '@casefile/contracts/testing';
import { run } from './program.js';
import { JUDGED, startLocalCasefile, type LocalCasefile } from './testing/local-casefile.js';
import { decidedCase } from './testing/decided-case.js';
import { memoryTerminal } from './testing/memory-terminal.js';

let local: LocalCasefile;
let folder: string;
beforeAll(async () => {
  folder = temporaryFolder('cli');
});
beforeEach(async () => {
  local = await startLocalCasefile();
});
afterEach(() => local.close());

async function file(name: string, content: unknown): Promise<string> {
  const path = join(folder, name);
  await writeFile(
    path,
    typeof content === 'string' || Buffer.isBuffer(content) ? content : JSON.stringify(content),
  );
  return path;
}

async function casefile(...args: string[]): Promise<{ code: number; lines: string[]; errors: string[] }> {
  const terminal = memoryTerminal();
  const code = await run(args, terminal);
  return { code, lines: terminal.lines, errors: terminal.errors };
}

const submit = (path: string, ...more: string[]) =>
  casefile('submit', path, '--ingest', local.url, '--console', local.url, ...more);

describe('casefile submit', () => {
  it('submits one alert and prints where its case is', async () => {
    const { code, lines } = await submit(await file('one.json', { text: 'hello' }));
    expect(code).toBe(0);
    expect(lines).toEqual([`accepted  ${local.url}/cases/case-0`]);
    expect(local.submitted).toEqual([{ body: { text: 'hello' }, key: undefined, again: null, lane: null }]);
  });

  it('S1-17 says that a verdict is an earlier one and of when, and judges again on request', async () => {
    const path = await file('judged.json', { text: JUDGED });
    const { lines, errors } = await submit(path);
    expect(lines).toEqual([expect.stringMatching(/^joined .*case-0$/)]);
    expect(errors).toEqual([
      'the same alert was judged at 2026-01-05T10:00:00.000Z, degraded: model out; --again judges it again',
    ]);
    expect(JSON.parse((await submit(path, '--json')).lines[0]!)).toMatchObject({
      verdictOf: { runId: 'run-0', degraded: true },
    });
    await submit(path, '--again');
    await submit(await file('two.json', [{ text: 'a' }, { text: 'b' }]), '--again');
    expect(local.submitted.map(({ again }) => again)).toEqual([null, null, 'true', 'true']);
  });

  it('E-12 submits into the lane that is asked for, and knows no others than live and batch', async () => {
    const two = await file('two.json', [{ text: 'a' }, { text: 'b' }]);
    await submit(await file('one.json', { text: 'hello' }), '--lane', 'batch', '--again');
    await submit(two, '--lane', 'batch');
    expect(local.submitted.map(({ again, lane }) => [again, lane])).toEqual([
      ['true', 'batch'],
      [null, 'batch'],
    ]);
    const { code, errors } = await submit(two, '--lane', 'replay');
    expect(code).not.toBe(0);
    expect(errors.join('\n')).toMatch(/--lane.*live, batch/s);
    expect(local.submitted).toHaveLength(2);
  });

  it('submits an array as a batch, names what is wrong with which alert, and ends with 1', async () => {
    const { code, lines, errors } = await submit(await file('many.json', [{ text: 'a' }, { texd: 'b' }]));
    expect({ code, lines: lines.length, errors }).toEqual({
      code: 1,
      lines: 1,
      errors: ['alert 2: text: is missing'],
    });
  });

  it('turns imageFile into the image', async () => {
    await file('shot.png', Buffer.from([1, 2, 3]));
    await submit(await file('image.json', { text: 't', imageFile: 'shot.png' }));
    expect(local.submitted[0]?.body).toEqual({
      text: 't',
      image: { mediaType: 'image/png', base64: 'AQID' },
    });
  });

  it('waits for the verdict and prints it as a line, or as JSON', async () => {
    local.cases.set('case-0', decidedCase('case-0', 'run-0'));
    const path = await file('wait.json', { text: 'hello' });
    const forPeople = await submit(path, '--wait');
    expect(forPeople.code).toBe(0);
    expect(forPeople.lines[0]).toMatch(
      /^scam +high risk +0\.90 +model +scam-verdict +Pay now\\x1b\[2J +http/,
    );
    const forPrograms = await submit(path, '--wait', '--json');
    expect(JSON.parse(forPrograms.lines[0] ?? '')).toMatchObject({
      caseId: 'case-0',
      verdict: { disposition: 'act' },
    });
  });

  it('ends with 1 when a run ended without a verdict', async () => {
    const stopped = decidedCase('case-0', 'run-0');
    Object.assign(stopped.runs[0] ?? {}, {
      status: 'stopped',
      verdict: null,
      reasonCode: 'no_text',
      message: 'nothing to\nread: send a text',
    });
    local.cases.set('case-0', stopped);
    const { code, errors } = await submit(await file('stopped.json', { text: 'hello' }), '--wait');
    expect({ code, error: errors[0] }).toEqual({
      code: 1,
      error: expect.stringMatching(/no_text.*\n {2}nothing to .*read: send a text$/),
    });
  });

  it('says where a run is and what it waits for when the time is over', async () => {
    const waiting = decidedCase('case-0', 'run-0');
    Object.assign(waiting.runs[0] ?? {}, { status: 'suspended', stage: 'reason', verdict: null });
    Object.assign(waiting.runs[0] ?? {}, {
      interactions: [{ provider: 'openai', state: 'failed', errorCode: 'circuit_open' }],
    });
    local.cases.set('case-0', waiting);
    const path = await file('late.json', { text: 'hello' });
    const { code, errors } = await submit(path, '--wait', '--timeout', '0.01');
    expect(code).toBe(1);
    expect(errors.join('\n')).toBe(
      `casefile: 1 of 1 had no verdict after 0.01 s; their runs continue:\n  ${local.url}/cases/case-0  ` +
        'at reason (suspended): the last call of openai failed (circuit_open)',
    );
  });

  it.each([
    ['no JSON', '{', /is not JSON/],
    ['no alert', '5', /expected an alert/],
    ['an image of another kind', '{"text":"t","imageFile":"a.gif"}', /imageFile/],
  ])('names what is wrong with a file that holds %s', async (_what, content, words) => {
    const { code, errors } = await submit(await file('bad.json', content));
    expect(code).toBe(1);
    expect(errors.join('\n')).toMatch(words);
  });
});

describe('the command line', () => {
  it.each([[[]], [['bogus']], [['show']], [['submit', 'a', '--colour']]])(
    'ends with 2 when it is wrong: %j',
    async (args) => {
      expect((await casefile(...args)).code).toBe(2);
    },
  );

  it('explains itself and ends with 0', async () => {
    const { code, lines } = await casefile('--help');
    expect(code).toBe(0);
    for (const word of ['up', 'submit', 'watch', 'show', 'import', 'Exit codes'])
      expect(lines.join('\n')).toContain(word);
  });

  it.each([
    ['--timeout', 'abc', /--timeout <seconds>.*Expected a number of seconds above 0/],
    ['--timeout', '-5', /--timeout/],
    ['--ingest', 'notaurl', /--ingest <url>.*Expected a URL/],
    ['--console', 'ftp://x', /--console <url>.*Expected a URL/],
  ])('names the option when %s is %s', async (option, value, words) => {
    const { code, errors } = await casefile('submit', 'a.json', option, value);
    expect(code).toBe(2);
    expect(errors.join('\n')).toMatch(words);
  });

  it('says its version', async () => {
    expect(await casefile('--version')).toMatchObject({
      code: 0,
      lines: [expect.stringMatching(/^\d+\.\d+\.\d+$/)],
    });
  });

  it.each([
    [['show', 'nobody-has-this-id-that-is-so-very-long'], 1, 'unknown_case'],
    [['submit', 'there-is-no-such-file.json'], 1, 'unreadable_file'],
    [['bogus'], 2, 'wrong_usage'],
    [['submit', 'a', '--timeout', 'x'], 2, 'wrong_usage'],
  ])('answers programs with one problem object on standard error: %j', async (args, code, reasonCode) => {
    const at = args[0] === 'show' ? ['--console', local.url] : [];
    const failed = await casefile(...args, ...at, '--json');
    expect({ code: failed.code, lines: failed.lines, count: failed.errors.length }).toEqual({
      code,
      lines: [],
      count: 1,
    });
    expect(JSON.parse(failed.errors[0] ?? '')).toMatchObject({
      type: `urn:casefile:problem:${reasonCode}`,
      reasonCode,
      detail: expect.stringMatching(/./),
    });
  });

  it('has --json on every command', async () => {
    for (const command of [['up'], ['submit'], ['watch'], ['show'], ['import', 'scam-reports']]) {
      expect((await casefile(...command, '--help')).lines.join('\n')).toContain('--json');
    }
  });
});
