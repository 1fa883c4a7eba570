import { readFileSync } from 'node:fs';
import { run } from '@casefile/cli/program';
import { memoryTerminal } from '@casefile/cli/testing/memory-terminal';
import { readSamples } from '@casefile/cli/up/samples';
import { routes } from '@casefile/console/routes/index';
import { ROLES, type CaseDocument, type Role } from '@casefile/contracts';
import { drawnSecret } from '@casefile/contracts/testing';
import { playbooks } from '@casefile/shipped/loaded';
import { alertWith } from './testing/alert-with-text.js';
import { dumpTables, linesWith } from './testing/dump-stores.js';
import { fiveServices, type FiveServices } from './testing/five-services.js';
import { pagerReceiver, type PagerReceiver } from './testing/pager-receiver.js';
import { PATIENT } from './testing/patient-settings.js';
import { ended } from './testing/world.js';
import { startCollector, type Collector } from './trace/collector.js';

/** Returns secrets of a seed, and a text that states them as people and programs do, in several languages. */
function planted(seed: number) {
  const drawn = (n: number) => `${'bcdfghkm'[n]}7${drawnSecret(10, seed + n)}`;
  const secrets = [0, 1, 2, 3, 4, 5, 6, 7].map(drawn);
  const [variable, german, chinese, stated, hidden, user, query, token] = secrets as [
    string,
    string,
    string,
    string,
    string,
    string,
    string,
    string,
  ];
  const code = String(10_000_000 + ((seed * 7_919) % 89_999_999));
  const text = [
    `DB_PASSWORD=${variable} Kennwort: ${german} 密码：${chinese}`,
    `The password is ${stated}. pass\u200bword=${hidden}`,
    `https://bob:${user}@files.example/x https://a.example/reset?token=${query}`,
    `Authorization: Bearer ${token}. Your verification code is ${code}.`,
  ].join(' ');
  return { secrets: [...secrets, code], text };
}

const SECRETS = new Map(playbooks.map(({ name }, i) => [name, planted(5_000 * (i + 1))] as const));
const ALL_SECRETS = [...SECRETS.values()].flatMap(({ secrets }) => secrets);
// The digits of a code are also part of some time in nanoseconds.
const states = (text: string, secret: string) =>
  /\D/.test(secret) ? text.includes(secret) : new RegExp(`(?<!\\d)${secret}(?!\\d)`).test(text);
const found = (text: string) => ALL_SECRETS.filter((secret) => states(text, secret));
const gets = routes.filter(({ method, path }) => method === 'get' && path !== '/events');

let system: FiveServices;
let collector: Collector;
let receiver: PagerReceiver;
const asked: string[] = [];
const cases = new Map<string, CaseDocument>();
const keys = new Map<Role, string>();

const api = (path: string, init: RequestInit = {}) =>
  fetch(`${system.service('console').url}/api/v1${path}`, init);

async function createKey(role: Role, admin: string | null): Promise<string> {
  const headers = {
    'content-type': 'application/json',
    ...(admin !== null && { authorization: `Bearer ${admin}` }),
  };
  const answer = await api('/keys', {
    method: 'POST',
    headers,
    body: JSON.stringify({ name: role, role, by: 'ann' }),
  });
  const { key } = (await answer.json()) as { key: string };
  expect([role, answer.status]).toEqual([role, 201]);
  return key;
}

beforeAll(async () => {
  [collector, receiver] = await Promise.all([startCollector(), pagerReceiver()]);
  const destinations = { all: { type: 'webhook', url: `${receiver.url}/all`, allowPrivate: true } };
  system = await fiveServices({
    services: 'one process',
    settings: { ...PATIENT, destinations, playbooks: { research: { reuseForMs: 0 } } },
    env: () => ({ LOG_LEVEL: 'trace', OTEL_EXPORTER_OTLP_ENDPOINT: collector.url }),
    answer: (question) => {
      asked.push(JSON.stringify(question));
      return null;
    },
  });
  await system.start();
  const { alerts } = await readSamples();
  for (const kind of playbooks) {
    const { image: _, ...sample } = alerts.find(({ playbook }) => playbook === kind.name)!;
    const { alert } = alertWith(kind, sample, SECRETS.get(kind.name)!.text);
    cases.set(kind.name, await ended(system, await system.alert(alert)));
  }
  const admin = await createKey('admin', null);
  keys.set('admin', admin);
  for (const role of ROLES.filter((one) => one !== 'admin')) keys.set(role, await createKey(role, admin));
}, 400_000);
afterAll(async () => {
  await system.close();
  await collector.close();
  receiver.close();
});

describe('S2-48 secrets of an alert', () => {
  it.each(playbooks.map(({ name }) => name))('of %s are in no table of the record', async (kind) => {
    const { id, runs } = cases.get(kind)!;
    expect(runs.length).toBeGreaterThan(0);
    const lines = await dumpTables(system.databaseUrl);
    expect(linesWith(lines, id).length).toBeGreaterThan(3);
    const { secrets } = SECRETS.get(kind)!;
    expect(secrets.flatMap((secret) => linesWith(lines, secret)).map((line) => line.slice(0, 200))).toEqual(
      [],
    );
  });

  const readBy = async (role: Role, path: string): Promise<number> => {
    const answer = await api(path, { headers: { authorization: `Bearer ${keys.get(role)}` } });
    expect([path, found(await answer.text())]).toEqual([path, []]);
    return answer.status;
  };

  it.each(ROLES)('are in no answer of the API to a %s that names no case', async (role) => {
    let read = 0;
    for (const { path } of gets.filter((one) => !one.path.includes('{')))
      if ((await readBy(role, path)) === 200) read += 1;
    expect(read).toBeGreaterThan(10);
  });

  it.each(ROLES.flatMap((role) => playbooks.map(({ name }) => [role, name] as const)))(
    'are in no answer of the API to a %s about a case of %s',
    async (role, kind) => {
      const { id, runs, alerts } = cases.get(kind)!;
      const runId = runs[0]!.id;
      const values: Record<string, string> = { caseId: id, id, runId, a: runId, b: runId, playbook: kind };
      values['alertId'] = (alerts[0] as unknown as { id: string }).id;
      let read = 0;
      for (const { path } of gets.filter((one) => one.path.includes('{'))) {
        const filled = path.replaceAll(/\{(\w+)\}/g, (_whole, name: string) => values[name] ?? 'none');
        if ((await readBy(role, filled)) === 200) read += 1;
      }
      expect(read).toBeGreaterThan(2);
    },
    120_000,
  );

  it('are in no request to a model, and in no message to a destination', () => {
    expect(asked.length).toBeGreaterThan(2);
    expect(asked.join('')).toContain('[masked]');
    expect(found(asked.join('\n'))).toEqual([]);
    expect(receiver.received.length).toBeGreaterThan(2);
    expect(found(JSON.stringify(receiver.received))).toEqual([]);
  });

  it.each(playbooks.map(({ name }) => name))('of %s are in no decision file and no export', async (kind) => {
    const headers = { authorization: `Bearer ${keys.get('admin')}` };
    const file = await api(`/cases/${cases.get(kind)!.id}/decision-file`, { headers });
    // Without a signing key, the answer states that none is configured.
    expect([200, 409, 503]).toContain(file.status);
    expect(found(await file.text())).toEqual([]);
    const terminal = memoryTerminal();
    const args = [
      'export',
      'iterations',
      '--filter',
      `playbook=${kind}`,
      '--console',
      system.service('console').url,
    ];
    const before = process.env['CASEFILE_KEY'];
    process.env['CASEFILE_KEY'] = keys.get('admin');
    await run(args, terminal);
    // One line for each case, or a note that the kind has no rounds.
    expect([...terminal.lines, ...terminal.errors].length).toBeGreaterThan(0);
    if (before === undefined) delete process.env['CASEFILE_KEY'];
    else process.env['CASEFILE_KEY'] = before;
    expect(found([...terminal.lines, ...terminal.errors].join('\n'))).toEqual([]);
  });

  it('are in no line of the log and in no span', async () => {
    await system.stop();
    const spans = JSON.stringify(collector.spans, (_key, value: unknown) =>
      typeof value === 'bigint' ? String(value) : value,
    );
    expect(collector.spans.length).toBeGreaterThan(playbooks.length);
    expect(found(spans)).toEqual([]);
    const log = readFileSync(system.logFile, 'utf8');
    expect(log).toContain([...cases.values()][0]!.id);
    expect(found(log)).toEqual([]);
  });
});
