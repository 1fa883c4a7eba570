import { execFile, spawn, spawnSync, type ChildProcess } from 'node:child_process';
import { readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { documentedCommands, pageText } from '@casefile/cli/testing/documented-commands';
import { temporaryFolder, until } from '@casefile/contracts/testing';
import { childEnvironment } from '@casefile/runtime';
import { startSimulator, type Simulator } from '@casefile/llm-simulator/simulator';
import { questionText } from '@casefile/kit/demonstration/question';
import { testDatabase, type TestDatabase } from '@casefile/store/testing';
import ts from 'typescript';
import { rowsIn, runCasefile } from '../testing/run-casefile.js';
import { testEnvironment } from '../testing/world.js';

const ROOT = fileURLToPath(new URL('../../../../', import.meta.url));
const CLI = join(ROOT, 'apps/cli/dist/main.js');
const TOKEN = 'a-token-of-honeycomb';
/** Ids that stand in the pages for those of the reader's own cases. */
const SAMPLE = '01a21562-210f';
const QUESTION = '01a21562-2d8e';
/** Adds a version of a prompt that other pages use. */
const FIRST = 'docs/use/prompts.md';
/** Reports the outcome of a case that another page opens. */
const LAST = 'docs/integrate/feedback.md';
const turnAt = (page: string): number => (page === FIRST ? -1 : page === LAST ? 1 : 0);

const isInstalled = (program: string): boolean => spawnSync(program, ['--version']).status === 0;

/** Commands that npm runs install, build or start the product itself; other specs do this. */
const commands = documentedCommands()
  .filter(
    ({ line, needs }) =>
      needs === null &&
      !/^(?:\w+=\S+ )*npm /.test(line) &&
      (isInstalled('curl') || !line.startsWith('curl ')),
  )
  .toSorted((a, b) => turnAt(a.page) - turnAt(b.page));

const before = { folder: process.cwd(), env: { ...process.env } };
let database: TestDatabase;
let product: ChildProcess;
let simulator: Simulator;
let folder: string;
let consoleUrl: string;
let ingestUrl: string;

beforeAll(async () => {
  [database, simulator] = await Promise.all([testDatabase(), startSimulator({ answer: askBack })]);
  folder = temporaryFolder('documented');
  product = spawn(process.execPath, [CLI, 'up', '--json'], {
    env: childEnvironment({
      ...testEnvironment({ LLM_PROVIDER: 'simulator', LLM_BASE_URL: simulator.baseUrl }),
      DATABASE_URL: database.url,
      QUEUE_URL: database.url,
      CASEFILE_DATA: join(folder, 'data'),
      NODE_OPTIONS: '',
    }),
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  for await (const line of createInterface({ input: product.stdout! })) {
    const printed = JSON.parse(line) as { type: string; console: string; ingest: string };
    if (printed.type === 'ready') [consoleUrl, ingestUrl] = [printed.console, printed.ingest];
    if (printed.type === 'verdicts-done') break;
  }
  product.stdout!.resume();
  writeFiles();
  process.chdir(folder);
  Object.assign(process.env, {
    CONSOLE_PORT: new URL(consoleUrl).port,
    INGEST_PORT: new URL(ingestUrl).port,
    CASEFILE_CONFIG: join(folder, 'webhooks.yaml'),
    HONEYCOMB_TOKEN: TOKEN,
    DATABASE_URL: database.url,
  });
});

afterAll(async () => {
  process.chdir(before.folder);
  for (const name of Object.keys(process.env))
    if (!(name in before.env)) Reflect.deleteProperty(process.env, name);
  Object.assign(process.env, before.env);
  const ended = new Promise((resolve) => product.on('close', resolve));
  product.kill('SIGTERM');
  await ended;
  await simulator.close();
  await database.drop();
});

/** Writes the files that the pages name. */
function writeFiles(): void {
  const at = (name: string): string => join(folder, name);
  symlinkSync(join(ROOT, 'samples'), at('samples'));
  symlinkSync(join(ROOT, 'samples/runbooks'), at('runbooks'));
  const incidents = JSON.parse(readFileSync(join(ROOT, 'samples/incidents.json'), 'utf8')) as unknown[];
  const incident = incidents.find((one) => JSON.stringify(one).includes('CheckoutErrorRateHigh'));
  writeFileSync(at('alert.json'), JSON.stringify(incident));
  const [, , honeycomb = ''] = pageText('docs/integrate/webhooks.md').split('```yaml\n');
  writeFileSync(at('webhooks.yaml'), honeycomb.split('```')[0] ?? '');
  const post = { id: 'abc', name: 'Slow checkout', status: 'TRIGGERED', summary: 'p99 above 2 s' };
  writeFileSync(at('body.json'), JSON.stringify({ ...post, result_url: 'https://ui.honeycomb.example/r/1' }));
  const shipped = 'libs/kinds/scam-verdict/src/prompts/answer@2.md';
  writeFileSync(at('answer.md'), `${readFileSync(join(ROOT, shipped), 'utf8')}\nAsk who sent the message.\n`);
  const seenSet = readFileSync(join(ROOT, 'samples/eval/seen.jsonl'), 'utf8').split('\n');
  writeFileSync(at('few.jsonl'), `${seenSet.slice(0, 3).join('\n')}\n`);
  const [, experiment = ''] = pageText('docs/use/experiments.md').split('```json\n');
  writeFileSync(at('rules.json'), experiment.split('```')[0] ?? '');
  const labelled = { text: 'See you at eight', language: 'en', isScam: false, category: null };
  writeFileSync(at('mine.jsonl'), `${JSON.stringify(labelled)}\n`);
}

/** Answers the question for interpretations of a query with two of them. The simulator answers the others by rules. */
function askBack(question: Parameters<typeof questionText>[0]) {
  if (!questionText(question, 'user').includes('"ambiguityType"')) return null;
  const options = ['2025', '2026'].map((year) => ({ label: year, query: `Was water cut off in ${year}?` }));
  const answer = { ambiguityType: 'time', question: 'Which year?', options };
  return { kind: 'answer' as const, content: JSON.stringify(answer) };
}

/** Submits a question that can be read in two ways. Returns the id of its case once its run asks. */
async function openQuestion(): Promise<string> {
  const item = { url: 'https://cna.example/1', name: 'Water', description: 'Water was cut off in May.' };
  const payload = { query: 'Was water cut off?', clarify: true, items: [item] };
  const body = JSON.stringify({ playbook: 'research', payload });
  const headers = { 'content-type': 'application/json' };
  const response = await fetch(`${ingestUrl}/v1/alerts`, { method: 'POST', headers, body });
  const { caseId } = (await response.json()) as { caseId: string };
  const asks = `select 1 from units where case_id = '${caseId}' and wait_signal = 'clarification'`;
  await until('the run asks', async () => (await rowsIn(database.url, asks)).length > 0);
  return caseId;
}

/** Returns the line with the addresses and ids of this run. Long measurements judge a few items only. */
async function ofThisRun(line: string): Promise<string> {
  const [newest] = await rowsIn(
    database.url,
    `select c.id, (select json_agg(r.id) from runs r where r.case_id = c.id) as runs from cases c
     where c.text like 'SwiftPost: your parcel SP-20871%' limit 1`,
  );
  const [first = '', second = first] = (newest?.['runs'] ?? []) as string[];
  const [experiment] = await rowsIn(database.url, 'select id from experiments limit 1');
  const isLong = /casefile eval/.test(line) && !/--set unseen|--look-ups/.test(line);
  return line
    .replaceAll('localhost:3000', new URL(consoleUrl).host)
    .replaceAll('localhost:3001', new URL(ingestUrl).host)
    .replaceAll(SAMPLE, String(newest?.['id']))
    .replace(QUESTION, line.includes(QUESTION) ? await openQuestion() : '')
    .replace(/(?<=replay )CASE\b/, String(newest?.['id']))
    .replace(/(?<=--dataset )NAME\b/, 'mine.jsonl')
    .replace(/(?<=experiments \w+ |experiment\.)ID\b/, String(experiment?.['id']))
    .replace('RUN RUN', `${first} ${second}`)
    .replace("Token: ...'", `Token: ${TOKEN}'`)
    .replace(/(?<=--look-ups --dataset )\S+/, 'few.jsonl')
    .concat(isLong ? ' --limit 3' : '');
}

interface Result {
  code: number;
  out: string;
  err: string;
}

function shell(line: string): Promise<Result> {
  return new Promise((resolve) => {
    execFile('sh', ['-c', line], { cwd: folder }, (error, out, err) =>
      resolve({ code: typeof error?.code === 'number' ? error.code : 0, out, err }),
    );
  });
}

/** Runs a command that streams, and ends it as soon as it has printed something. */
function streaming(line: string): Promise<Result> {
  const child = spawn('sh', ['-c', `exec ${line}`], { cwd: folder });
  let out = '';
  let err = '';
  child.stderr.on('data', (part: Buffer) => (err += part.toString()));
  child.stdout.on('data', (part: Buffer) => {
    out += part.toString();
    child.kill();
  });
  return new Promise((resolve) => child.on('close', (code) => resolve({ code: code ?? 0, out, err })));
}

/** Runs `casefile` in this process, because its start takes most of the time of a command. */
async function ranHere(line: string): Promise<Result> {
  const words = [...line.matchAll(/'[^']*'|\S+/g)].map(([word]) => word.replace(/^'(.*)'$/, '$1'));
  const { code, lines, errors } = await runCasefile(...words.slice(words.indexOf('casefile') + 1));
  return { code, out: lines.join('\n'), err: errors.join('\n') };
}

describe('commands of the documentation, as they are written, on a running system', () => {
  it('are most of those that the pages have', () => {
    expect(commands.length).toBeGreaterThan(30);
  });

  it.each(commands)('$page: $line', async ({ line }) => {
    const ran = await ofThisRun(line);
    // A stream of events has no end.
    const isStream = line.startsWith('curl -sN');
    const run = isStream ? streaming : /^(?:npx )?casefile /.test(ran) ? ranHere : shell;
    const { code, out, err } = await run(ran);
    expect({ code, out, err }).toMatchObject({ code: 0 });
    if (isStream) expect(out).toMatch(/^retry: \d+/);
    expect(out).not.toContain('urn:casefile:problem');
    expect(out).not.toBe('');
  });
});

describe('clients of the documentation', () => {
  const block = (language: string): string => {
    const [, text = ''] = pageText('docs/integrate/clients.md').split(`\`\`\`${language}\n`);
    return (text.split('```')[0] ?? '')
      .replaceAll('http://localhost:3000', consoleUrl)
      .replaceAll('http://localhost:3001', ingestUrl);
  };

  it('TypeScript: submits an alert and prints its verdict', async () => {
    const { outputText } = ts.transpileModule(block('ts'), {
      compilerOptions: { target: ts.ScriptTarget.ES2022, module: ts.ModuleKind.ESNext },
    });
    writeFileSync(join(folder, 'client.mjs'), outputText);
    const { code, out, err } = await shell(`'${process.execPath}' client.mjs`);
    expect({ code, err }).toEqual({ code: 0, err: '' });
    expect(out).toMatch(/^(?:act|review|dismiss) \[/);
  });

  (isInstalled('python3') ? it : it.skip)('Python: submits an alert and prints its verdict', async () => {
    writeFileSync(join(folder, 'client.py'), block('python'));
    const { code, out, err } = await shell('python3 client.py');
    expect({ code, err }).toEqual({ code: 0, err: '' });
    expect(out).toMatch(/^(?:act|review|dismiss) \[/);
  });
});
