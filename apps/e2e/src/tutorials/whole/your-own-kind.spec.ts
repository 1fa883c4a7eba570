import { execFile, spawn, type ChildProcess } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { promisify } from 'node:util';
import { temporaryFolder, until } from '@casefile/contracts/testing';
import { freePort } from '@casefile/embedded/testing';
import { fiveServices, type FiveServices } from '../../testing/five-services.js';
import { runCasefile } from '../../testing/run-casefile.js';
import { blockWith, tutorialBlocks } from '../blocks.js';

const ROOT = new URL('../../../../../', import.meta.url);
const blocks = tutorialBlocks('your-own-kind');

describe('the tutorial on a kind of case with one look-up', () => {
  const folder = temporaryFolder('own-kind');
  const kind = join(folder, 'invoice-check');
  const saved = { folder: process.cwd(), env: { ...process.env } };
  let register: ChildProcess | null = null;
  let system: FiveServices | null = null;

  /** Runs a command of the page in this process. The folder of the kind is that of this test. */
  const casefile = (part: string) => {
    const words = blockWith(blocks, 'sh', part).replaceAll('../invoice-check', kind).split(' ');
    return runCasefile(...words.slice(words.indexOf('casefile') + 1));
  };
  const kindTest = async () => {
    const [, ...args] = blockWith(blocks, 'sh', '--test').replace('../invoice-check', kind).split(' ');
    const run = promisify(execFile)(process.execPath, args, {
      cwd: ROOT,
      env: { ...process.env, NODE_OPTIONS: '' },
    });
    const { stdout } = await run.catch((failed: { stdout: string }) => failed);
    const count = (what: string) => Number(new RegExp(`(?:# |ℹ )${what} (\\d+)`).exec(stdout)?.[1]);
    return { pass: count('pass'), fail: count('fail') };
  };
  /** Makes the change of a block: the lines with a minus become those with a plus. */
  const change = (diff: string) => {
    const [head = '', ...lines] = diff.split('\n');
    const file = join(kind, basename(head.replace('--- ', '')));
    const side = (sign: string) =>
      lines
        .filter((line) => line.startsWith(sign))
        .map((line) => line.slice(1))
        .join('\n');
    const before = readFileSync(file, 'utf8');
    expect(before.split(side('-'))).toHaveLength(2);
    writeFileSync(
      file,
      before.replace(side('-'), () => side('+')),
    );
  };

  afterAll(async () => {
    process.chdir(saved.folder);
    process.env = saved.env;
    register?.kill();
    await system?.close();
  });

  it('creates a kind whose test passes', async () => {
    expect(await casefile('new kind')).toMatchObject({ code: 0, errors: [] });
    expect(await kindTest()).toEqual({ pass: 8, fail: 0 });
  });

  it('changes the rule, which one test notices, and then its test and version', async () => {
    const [rule = '', ...others] = blocks
      .filter(({ language }) => language === 'diff')
      .map(({ text }) => text);
    change(rule);
    expect(await kindTest()).toEqual({ pass: 7, fail: 1 });
    others.forEach(change);
    expect(await kindTest()).toEqual({ pass: 8, fail: 0 });
  });

  it('judges by the register of the page, and cites its answer', async () => {
    const port = await freePort();
    const file = join(folder, 'register.mjs');
    writeFileSync(file, blockWith(blocks, 'js', '// register.mjs').replace('8080', String(port)));
    register = spawn(process.execPath, [file], {
      stdio: 'inherit',
      env: { ...process.env, NODE_OPTIONS: '' },
    });
    const address = `http://127.0.0.1:${port}`;
    await until('the register answers', () =>
      fetch(`${address}/subjects/Desks`).then(
        ({ ok }) => ok,
        () => false,
      ),
    );
    const variables = { CASEFILE_KINDS: kind, INVOICE_CHECK_REGISTER_URL: address, LLM_PROVIDER: 'none' };
    system = await fiveServices({ services: 'one process', env: () => variables });
    await system.start();
    Object.assign(process.env, variables, {
      CONSOLE_PORT: new URL(system.service('console').url).port,
      INGEST_PORT: new URL(system.service('ingest').url).port,
    });
    process.chdir(folder);
    const shown = blocks.filter(({ language }) => language === '').map(({ text }) => text);
    for (const [at, name, word] of [
      [0, 'desks', 'pass'],
      [1, 'gold', 'stop'],
    ] as const) {
      writeFileSync(`${name}.json`, blocks.filter(({ language }) => language === 'json')[at]!.text);
      const { code, lines, errors } = await casefile(`submit ${name}.json`);
      expect([code, errors]).toEqual([0, []]);
      expect(lines.join('\n')).toMatch(new RegExp(`\\b${word}\\b`));
      const caseId = lines.join('').split('/cases/')[1] ?? '';
      const [, show = ''] = blockWith(blocks, 'sh', 'casefile show')
        .replace('CASE', caseId)
        .split('casefile ');
      const { lines: details } = await runCasefile(...show.split(' '));
      expect(details.join('\n')).toContain(shown[at]);
    }
  });

  it('measures the kind by its labelled set', async () => {
    const { code, lines, errors } = await casefile('casefile eval');
    expect([code, errors]).toEqual([0, []]);
    expect(lines.join('\n')).toMatch(/\b4 of 4\b|4\/4/);
  });
});
