import { spawnSync } from 'node:child_process';
import { appendFileSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { temporaryFolder, until } from '@casefile/contracts/testing';
import { fiveServices, type FiveServices } from '../testing/five-services.js';
import { WHOLE_SYSTEM_MS } from '../testing/whole-system-limit.js';
import { ended } from '../testing/world.js';

const KIND = 'looping-check';
const CLI = new URL('../../../cli/dist/main.js', import.meta.url).pathname;
const folder = join(temporaryFolder('looping-kind'), KIND);
const marker = join(temporaryFolder('looping-kind'), 'begun');
/** Requests to the liveness endpoint without an answer, after which Kubernetes ends a process. */
const PROBES = 3;
let system: FiveServices;

beforeAll(async () => {
  expect(spawnSync(process.execPath, [CLI, 'new', 'kind', KIND, '--folder', folder]).status).toBe(0);
  const rules = join(folder, 'rules.ts');
  const text = readFileSync(rules, 'utf8');
  const loop = `if (brief.text.includes('without end')) {\n    appendFileSync(${JSON.stringify(marker)}, 'x');\n    for (;;);\n  }\n`;
  const [head, body] = text.split('  const { amount }');
  writeFileSync(rules, `import { appendFileSync } from 'node:fs';\n${head}${loop}  const { amount }${body}`);
  appendFileSync(marker, '');
  const CASEFILE_KINDS = folder;
  system = await fiveServices({
    settings: { lease: { seconds: 2 } },
    env: () => ({ CASEFILE_KINDS, LLM_PROVIDER: 'none' }),
  });
  await system.start();
});
afterAll(() => system?.close());

const isAlive = (url: string) =>
  fetch(`${url}/health/live`, { signal: AbortSignal.timeout(1_000) }).then(
    ({ ok }) => ok,
    () => false,
  );

it('R14 a kind with an endless loop is ended with its process by the liveness probe, and after three ends only its run is quarantined', async () => {
  const handIn = (subject: string) => system.alert({ playbook: KIND, payload: { subject, amount: 120 } });
  const looping = await handIn('A loop without end');
  const reasoner = system.service('reasoner');
  const others: string[] = [];
  for (let end = 1; end <= 3; end += 1) {
    await until(`the loop has begun, time ${end}`, () => readFileSync(marker, 'utf8').length >= end);
    others.push(await handIn(`Beside it ${end}`));
    let silent = 0;
    await until(
      'the probe fails',
      async () => (silent = (await isAlive(reasoner.url)) ? 0 : silent + 1) >= PROBES,
    );
    await reasoner.signal('SIGKILL');
    await reasoner.start();
  }
  const { runs } = await ended(system, looping, WHOLE_SYSTEM_MS);
  expect(runs).toMatchObject([{ status: 'quarantined', reasonCode: 'crashed_repeatedly' }]);
  const { items } = await system.store.deadLetters.find({ limit: 10 });
  expect(items.map(({ message }) => message)).toEqual([
    expect.stringMatching(`^kind ${KIND}, stage reason: its worker died 3 times`),
  ]);
  for (const caseId of others)
    expect((await ended(system, caseId, WHOLE_SYSTEM_MS)).runs).toMatchObject([{ status: 'decided' }]);
}, 300_000);
