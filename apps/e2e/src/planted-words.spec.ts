import { once } from 'node:events';
import { run } from '@casefile/cli/program';
import { memoryTerminal } from '@casefile/cli/testing/memory-terminal';
import { routes } from '@casefile/console/routes/index';
import { mayUse, type JsonObject, type Role, type ShownCase } from '@casefile/contracts';
import { until } from '@casefile/contracts/testing';
import { startService, type RunningService } from '@casefile/runtime';
import { playbooks } from '@casefile/shipped/loaded';
import { WebSocket } from 'ws';
import { callerWith, consoleForRoles, ROLE } from './testing/console-for-roles.js';
import {
  plantedRecord,
  plantedWord,
  PLANTED,
  type PlantedField,
  type PlantedRecord,
} from './testing/planted-cases.js';
import { searchable } from './testing/searchable.js';

let record: PlantedRecord;
let service: RunningService;
beforeAll(async () => {
  record = await plantedRecord();
  service = await startService(consoleForRoles({ dashboard: '/nowhere' }, 'viewer'), record.world.platform);
  const path = `/reviews/${record.values['caseId']}`;
  await post(`${path}/comment`, { by: 'ann', note: plantedWord('comment') });
  const agreement = { agree: true, by: 'ann', note: plantedWord('feedback') };
  await post(`/cases/${record.cases['research']}/feedback`, agreement);
}, 300_000);
afterAll(async () => {
  await service.close();
  await record.close();
});

async function post(path: string, body: object): Promise<void> {
  const headers = { 'content-type': 'application/json', [ROLE]: 'operator' };
  const answer = await fetch(`${service.url}/api/v1${path}`, {
    method: 'POST',
    headers,
    body: JSON.stringify(body),
  });
  if (answer.status >= 300) throw new Error(`${path} answered ${answer.status}: ${await answer.text()}`);
}

const read = (path: string, role: Role, signal?: AbortSignal) =>
  fetch(`${service.url}/api/v1${path}`, { headers: { [ROLE]: role }, ...(signal && { signal }) });

const QUERY: Record<string, string> = {
  '/policies/{policyId}/versions/{version}/sections': '?ids=0001,9999',
  '/prompts/{playbook}/{name}/diff': '?to=1',
  '/series': '?metric=verdicts',
  '/quality/labels': '?playbook=scam-verdict',
};

/** Returns the paths of a route: of routes of a case and a run, one for each kind of case. */
async function pathsOf(path: string): Promise<string[]> {
  const { values, cases, world } = record;
  const ofPrompts = { playbook: 'scam-verdict', name: 'answer', version: '1' };
  const fill = (some: Record<string, string>) =>
    path.replaceAll(/\{(\w+)\}/g, (_whole, name: string) => encodeURIComponent(some[name] ?? 'none')) +
    (QUERY[path] ?? '');
  if (path.startsWith('/prompts')) return [fill(ofPrompts)];
  if (!/\{(caseId|runId|a)\}/.test(path) || path.includes('alertId')) return [fill(values)];
  const documents = await Promise.all(
    Object.values(cases).map((id) => world.platform.store.record.getCase(id)),
  );
  return documents.flatMap((one) => {
    const runId = one?.runs[0]?.id ?? '';
    return [fill({ ...values, caseId: one?.id ?? '', runId, a: runId, b: one?.runs.at(-1)?.id ?? runId })];
  });
}

/** Returns the planted words in a text, each with the text before it. */
function plantedIn(text: string): string[] {
  return [...text.matchAll(new RegExp(`.{0,80}${PLANTED}\\w*`, 'g'))].map(([match]) => match);
}

const pick = (value: JsonObject, keys: readonly string[]) =>
  Object.fromEntries(keys.map((key) => [key, value[key]]));

const viewer = callerWith('viewer');
const gets = routes.filter(({ method, path }) => method === 'get' && path !== '/events');

async function command(...args: string[]): Promise<string> {
  const terminal = memoryTerminal();
  const code = await run([...args, '--console', service.url], terminal);
  expect([code, code === 0 ? [] : terminal.errors]).toEqual([0, []]);
  return terminal.lines.join('\n');
}

/** Returns the texts of all events, as a role receives them. */
async function streamed(role: Role): Promise<string> {
  const last = await record.world.platform.store.record.lastEventId();
  const over = new AbortController();
  const answer = await read('/events?lastEventId=0', role, over.signal);
  let text = '';
  const decoder = new TextDecoder();
  for await (const chunk of answer.body as unknown as AsyncIterable<Uint8Array>) {
    text += decoder.decode(chunk, { stream: true });
    if (text.includes(`id: ${last}\n`)) break;
  }
  over.abort();
  return text;
}

async function received(role: Role): Promise<string> {
  const last = await record.world.platform.store.record.lastEventId();
  const url = `${service.url.replace('http', 'ws')}/ws?lastEventId=0`;
  const socket = new WebSocket(url, { headers: { [ROLE]: role } });
  let text = '';
  socket.on('message', (data: Buffer) => (text += data.toString()));
  await once(socket, 'open');
  await until('the last event arrives', async () => text.includes(`"id":"${last}"`));
  socket.terminate();
  return text;
}

describe('words that were planted in guarded fields', () => {
  it.each(gets)('S2-21 a viewer gets none of them from GET $path', async ({ path, right, response }) => {
    for (const one of await pathsOf(path)) {
      const answer = await read(one, 'viewer');
      const body = await answer.text();
      expect(plantedIn(body)).toEqual([]);
      if (!mayUse(viewer, right)) expect([one, answer.status]).toEqual([one, 403]);
      else if (answer.status === 200 && typeof response !== 'string') {
        const parsed = JSON.parse(body) as JsonObject;
        expect(response.parse(parsed)).toEqual(parsed);
      } else expect([one, answer.status]).toEqual([one, 404]);
    }
  });

  it('S2-21 a viewer gets none of them as events, but the facts of stages', async () => {
    for (const text of [await streamed('viewer'), await received('viewer')]) {
      expect(plantedIn(text)).toEqual([]);
      for (const fact of ['"stage":"reason"', '"hasReasoning":true', '"disposition":', 'review.commented'])
        expect(text).toContain(fact);
    }
  });

  it('S2-21 a viewer searches no messages', async () => {
    for (const path of [`/cases?q=${plantedWord('text')}`, `/history/sessions?q=x`, '/reviews?q=x']) {
      const answer = await read(path, 'viewer');
      expect([path, answer.status, ((await answer.json()) as JsonObject)['detail']]).toEqual([
        path,
        403,
        'The parameter "q" needs the role reviewer.',
      ]);
    }
    await searchable(record.world.platform.store);
    const found = (await (await read(`/cases?q=${plantedWord('text')}`, 'reviewer')).json()) as {
      cases: object[];
    };
    expect(found.cases.length).toBeGreaterThan(0);
  });

  it('S2-21 a viewer gets no decision file and no image', async () => {
    const { caseId, alertId } = record.values;
    for (const path of [`/cases/${caseId}/decision-file`, `/cases/${caseId}/alerts/${alertId}/image`])
      expect([(await read(path, 'viewer')).status, (await read(path, 'reviewer')).status]).toEqual([
        403, 200,
      ]);
  });

  it.each(
    playbooks.map(({ name, presenting }) => [name, Object.keys(presenting.judged?.shape ?? {})] as const),
  )(
    'S2-21 a viewer sees the verdict of a case of %s as codes: disposition, deciding fields, confidence and causes of degradation',
    async (kind, deciding) => {
      const path = `/cases/${record.cases[kind]}`;
      const [shown, whole] = (await Promise.all(
        (['viewer', 'reviewer'] as const).map(async (role) => (await read(path, role)).json()),
      )) as [ShownCase, ShownCase];
      expect([shown.withheld, whole.withheld]).toEqual([['personal', 'reasoning'], undefined]);
      const [verdict, full] = [shown.verdict!, whole.verdict!];
      const { outcome, reasons, ...facts } = full;
      expect(JSON.stringify(full)).toContain(PLANTED);
      expect(reasons.length).toBeGreaterThan(0);
      expect(verdict).toEqual({ ...facts, reasons: [], outcome: verdict.outcome });
      expect(verdict.outcome).toEqual(pick(outcome, Object.keys(verdict.outcome)));
      for (const field of deciding) expect(verdict.outcome[field]).toEqual(outcome[field]);
      const { word, confidenceApplies, ladder, scales } = whole.runs[0]!.presentation!;
      expect(shown.runs[0]!.presentation).toMatchObject({
        word,
        confidenceApplies,
        ladder,
        scales,
        headline: '',
        summary: '',
        facts: [],
      });
    },
  );

  it('S2-21 a viewer sees of evidence its id, tool and time', async () => {
    const shown = (await (await read(`/cases/${record.values['caseId']}`, 'viewer')).json()) as ShownCase;
    const [item] = shown.runs[0]!.evidence;
    expect(item).toMatchObject({
      id: 'E1',
      toolName: 'scam_db',
      success: true,
    });
    expect(item?.at).not.toBe('');
    expect([item?.entityValue, item?.source, item?.result]).toEqual(['', '', null]);
  });

  it.each(playbooks.map(({ name }) => name))(
    'S2-21 the command line shows and exports a case of %s to a viewer without them',
    async (kind) => {
      const caseId = record.cases[kind] ?? '';
      const shown = await command('show', caseId, '--reasoning');
      expect(shown).toContain('prompts and reasoning: needs the role reviewer');
      const whole = await command('show', caseId, '--json');
      const rounds = await command('export', 'iterations', '--filter', `playbook=${kind}`);
      for (const text of [shown, whole, rounds]) expect(plantedIn(text)).toEqual([]);
    },
  );

  const places: [PlantedField, string][] = [
    ['text', '/cases'],
    ['text', '/cases/{scam-verdict}'],
    ['label', '/cases/{scam-verdict}'],
    ['extra', '/cases/{scam-verdict}'],
    ['evidence', '/cases/{scam-verdict}'],
    ['message', '/cases/{scam-verdict}'],
    ['source', '/cases/{scam-verdict}'],
    ['entity', '/cases/{scam-verdict}'],
    ['reasoning', '/cases/{scam-verdict}'],
    ['raw', '/cases/{scam-verdict}'],
    ['answer', '/cases/{scam-verdict}'],
    ['conversation', '/cases/{scam-verdict}'],
    ['annotation', '/cases/{incident}'],
    ['payload', '/cases/{incident}'],
    ['critique', '/cases/{research}'],
    ['comment', '/reviews/{scam-verdict}'],
    ['feedback', '/reviews/{research}'],
    ['feedback', '/cases/{research}/feedback'],
    ['letter', '/dead-letters'],
    ['refusal', '/dead-letters'],
    ['text', '/history/sessions'],
  ];
  it.each(places)('S2-21 a reviewer reads %s at %s', async (field, path) => {
    const filled = path.replaceAll(/\{([\w-]+)\}/g, (_whole, kind: string) => record.cases[kind] ?? '');
    expect(await (await read(filled, 'reviewer')).text()).toContain(plantedWord(field));
  });
});
