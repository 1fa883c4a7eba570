import { mkdtemp, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { verdictSchema } from '@casefile/contracts';
import type { ShownCase } from './client/console-client.js';
import { run } from './program.js';
import { startLocalCasefile, type LocalCasefile } from './testing/local-casefile.js';
import { memoryTerminal } from './testing/memory-terminal.js';

let local: LocalCasefile;
let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'casefile-cli-'));
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

function decidedCase(caseId: string, runId: string): ShownCase {
  const verdict = verdictSchema.parse({
    ...{
      outcome: { riskLevel: 'high' },
      disposition: 'act',
      confidence: 0.9,
      confidenceSource: 'llm',
      method: 'llm',
    },
    ...{
      reasons: ['Because \u001b[31mit says so.'],
      citations: [],
      degraded: false,
      decidedAt: '2026-01-05T10:00:00Z',
    },
  });
  const run = {
    ...{
      id: runId,
      alertId: 'a',
      status: 'decided',
      stage: null,
      round: 1,
      lane: 'live',
      reasonCode: null,
      message: null,
      verdict,
    },
    settings: { provider: 'openai' },
    ...{ artifacts: [], evidence: [], toolCalls: [], interactions: [], trace: [], units: [] },
    cost: {
      usd: 0.01,
      inputTokens: 10,
      outputTokens: 2,
      reasoningTokens: 0,
      cachedTokens: 0,
      interactions: 1,
      unpriced: 0,
    },
  };
  const alerts = [
    { id: 'a', playbook: 'scam-verdict', text: 'Pay now\u001b[2J', receivedAt: '2026-01-05T10:00:00Z' },
  ];
  return {
    id: caseId,
    playbook: 'scam-verdict',
    status: 'decided',
    createdAt: '',
    updatedAt: '',
    alertCount: 1,
    alerts,
    runs: [run],
  } as unknown as ShownCase;
}

describe('casefile submit', () => {
  it('submits one alert and prints where its case is', async () => {
    const { code, lines } = await submit(await file('one.json', { text: 'hello' }));
    expect(code).toBe(0);
    expect(lines).toEqual([`accepted  ${local.url}/cases/case-0`]);
    expect(local.submitted).toEqual([{ body: { text: 'hello' }, key: undefined }]);
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
    expect(forPeople.lines[0]).toMatch(/^act +high +0\.90 +model +scam-verdict +Pay now\\x1b\[2J +http/);
    const forPrograms = await submit(path, '--wait', '--json');
    expect(JSON.parse(forPrograms.lines[0] ?? '')).toMatchObject({
      caseId: 'case-0',
      verdict: { disposition: 'act' },
    });
  });

  it('ends with 1 when a run ended without a verdict', async () => {
    const stopped = decidedCase('case-0', 'run-0');
    Object.assign(stopped.runs[0] ?? {}, {
      ...{ status: 'stopped', verdict: null, reasonCode: 'no_text' },
      message: 'nothing to\nread: send a text',
    });
    local.cases.set('case-0', stopped);
    const { code, errors } = await submit(await file('stopped.json', { text: 'hello' }), '--wait');
    expect({ code, error: errors[0] }).toEqual({
      ...{ code: 1, error: expect.stringMatching(/no_text.*\n {2}nothing to .*read: send a text$/) },
    });
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

describe('casefile show', () => {
  it('prints a case, and shows escapes instead of obeying them', async () => {
    local.cases.set('case-0', decidedCase('case-0', 'run-0'));
    const { code, lines } = await casefile('show', 'case-0', '--console', local.url);
    expect(code).toBe(0);
    expect(lines.join('\n')).toContain('Pay now\\x1b[2J');
    expect(lines.join('\n')).toContain('- Because \\x1b[31mit says so.');
    expect(lines.join('')).not.toContain('\u001b');
  });

  it('ends with 1 for a case that is not there', async () => {
    expect(await casefile('show', 'nobody', '--console', local.url)).toMatchObject({
      code: 1,
      errors: ['casefile: no case has this id'],
    });
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

  it('has --json on every command', async () => {
    for (const command of [['up'], ['submit'], ['watch'], ['show'], ['import', 'scam-reports']]) {
      expect((await casefile(...command, '--help')).lines.join('\n')).toContain('--json');
    }
  });

  it('refuses an import with a wrong line before it opens anything', async () => {
    const path = await file('bad.csv', 'entityType,entityValue,reportCount,riskScore\nphone,12,x,1\n');
    const { code, errors } = await casefile('import', 'scam-reports', path);
    expect(code).toBe(1);
    expect(errors).toEqual([
      'casefile: not valid:',
      expect.stringContaining('line 2: reportCount'),
      expect.stringContaining('line 2: entityValue'),
    ]);
  });
});
