import { run } from '@casefile/cli/program';
import { memoryTerminal } from '@casefile/cli/testing/memory-terminal';
import { routes } from '@casefile/console/routes/index';
import { isObject, type CaseDocument, type ExaminedPlanted, type Json } from '@casefile/contracts';
import { until } from '@casefile/contracts/testing';
import { startService, type RunningService } from '@casefile/runtime';
import { alertNumber } from './boundary-run/scripted-incident.js';
import { consoleForRoles } from './testing/console-for-roles.js';
import { dumpTables } from './testing/dump-stores.js';
import { EXAMINED_ALERTS, examinedWorld } from './testing/examined-cases.js';
import { searchable } from './testing/searchable.js';

let world: Awaited<ReturnType<typeof examinedWorld>>;
let service: RunningService;
let cases: Map<string, CaseDocument>;
/** Planted claims by kind. */
let planted: Map<string, ExaminedPlanted[]>;
/** Texts and words that only planted claims have. */
let marks: string[];

beforeAll(async () => {
  world = await examinedWorld();
  service = await startService(consoleForRoles({ dashboard: '/nowhere' }, 'admin'), world.platform);
  cases = new Map();
  for (const [kind, alert] of Object.entries(EXAMINED_ALERTS))
    cases.set(kind, await world.ended((await world.accept(alert)).caseId));
  planted = new Map([...cases].map(([kind, document]) => [kind, plantedOf(document)]));
  marks = [...cases].flatMap(([kind, document]) => marksOf(planted.get(kind)!, document));
}, 300_000);
afterAll(async () => {
  await service.close();
  await world.close();
});

const artifactsOf = ({ runs }: CaseDocument) => runs.flatMap(({ artifacts }) => artifacts);
const plantedOf = (document: CaseDocument): ExaminedPlanted[] =>
  artifactsOf(document).flatMap(({ artifact, body }) =>
    artifact === 'review'
      ? ((body as { crossExamination?: { planted?: ExaminedPlanted[] } }).crossExamination?.planted ?? [])
      : [],
  );

/** Returns the texts of planted claims, and their words that neither the alert nor any other artifact has. */
function marksOf(own: readonly ExaminedPlanted[], document: CaseDocument): string[] {
  const known = JSON.stringify(withoutPlanted(document as unknown as Json)).toLowerCase();
  const words = own.flatMap(({ text }) => text.toLowerCase().match(/[\p{L}\p{N}]{5,}/gu) ?? []);
  return [...own.map(({ text }) => text), ...words.filter((word) => !known.includes(word))];
}

/** Removes what marks planted claims as such: the list of them, and the call whose question contains them. */
function withoutPlanted(value: Json): Json {
  if (Array.isArray(value)) return value.map(withoutPlanted);
  if (!isObject(value)) return value;
  if (typeof value['promptId'] === 'string' && 'request' in value && isExamination(value['promptId']))
    return null;
  const rest = Object.entries(value).filter(([name]) => name !== 'planted' || !('promptId' in value));
  return Object.fromEntries(rest.map(([name, one]) => [name, withoutPlanted(one as Json)]));
}
const isExamination = (promptId: string): boolean => promptId.includes('/cross-examination');

/** Returns the marks in an answer, outside of the places that mark them. */
function marksIn(text: string): string[] {
  let read: string;
  try {
    read = JSON.stringify(withoutPlanted(JSON.parse(text) as Json));
  } catch {
    read = text;
  }
  const lower = read.toLowerCase();
  return marks.filter((mark) => lower.includes(JSON.stringify(mark.toLowerCase()).slice(1, -1)));
}

const read = (path: string, init?: RequestInit) => fetch(`${service.url}/api/v1${path}`, init);
const post = (path: string, body: object) =>
  read(path, { method: 'POST', headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) });

/** Returns the paths of a route for every case. */
function pathsOf(path: string): string[] {
  if (!path.includes('{')) return [path];
  const all = [...cases.values()].map(({ id, alerts, runs }) => {
    const runId = runs[0]!.id;
    const values: Record<string, string> = {
      caseId: id,
      id,
      runId,
      a: runId,
      b: runId,
      alertId: alerts[0]!.id,
    };
    return path.replaceAll(/\{(\w+)\}/g, (_whole, name: string) => values[name] ?? 'none');
  });
  return [...new Set(all)];
}

const rowsOf = async (table: string, of: string): Promise<string[]> =>
  (await dumpTables(world.databaseUrl)).filter(
    (line) => line.startsWith(`public.${table}:`) && line.includes(of),
  );

async function command(...args: string[]): Promise<string> {
  const terminal = memoryTerminal();
  const code = await run([...args, '--console', service.url], terminal);
  expect([code, code === 0 ? [] : terminal.errors]).toEqual([0, []]);
  return terminal.lines.join('\n');
}

describe('planted claims', () => {
  it('T-39 are in the examination of every kind that asks one', () => {
    for (const kind of ['incident', 'research', 'policy-check'])
      expect([kind, planted.get(kind)!.length > 0]).toEqual([kind, true]);
    expect(marks.length).toBeGreaterThan(5);
  });

  it('T-39 stand in a case only where they are marked', async () => {
    for (const [kind, { id }] of cases) {
      const body = await (await read(`/cases/${id}`)).text();
      for (const { text } of planted.get(kind)!) expect(body).toContain(JSON.stringify(text));
      expect([kind, marksIn(body)]).toEqual([kind, []]);
    }
  });

  const gets = routes.filter(({ method, path }) => method === 'get' && path !== '/events');
  it.each(gets)('T-39 GET $path has none elsewhere', async ({ path }) => {
    for (const one of pathsOf(path)) {
      const answer = await read(one);
      expect([one, marksIn(await answer.text())]).toEqual([one, []]);
      expect(answer.status).toBeLessThan(500);
    }
  });

  it('T-39 no search finds a case by them', async () => {
    await searchable(world.platform.store);
    for (const mark of marks) {
      const { cases: found } = (await (await read(`/cases?q=${encodeURIComponent(mark)}`)).json()) as {
        cases: object[];
      };
      expect([mark, found]).toEqual([mark, []]);
    }
  });

  it('T-39 the command line exports none elsewhere', async () => {
    for (const [kind, { id }] of cases) {
      const lines = (await command('export', 'iterations', '--filter', `playbook=${kind}`)).split('\n');
      // The question of the examiner lists all claims, and is a line of its own.
      for (const line of lines.filter((one) => !one.includes('"agent":"examiner"')))
        expect([kind, marksIn(line)]).toEqual([kind, []]);
      expect([kind, marksIn(await command('show', id, '--json'))]).toEqual([kind, []]);
    }
  });

  it('T-39 only reviews and calls of the examiner are stored with one', async () => {
    const lines = (await dumpTables(world.databaseUrl)).filter((line) => marksIn(line).length > 0);
    // Calls are stored in partitions by month.
    const stored = lines.map((line) =>
      /^(?:public\.artifacts|calls_by_month\.\w+|public\.llm_interactions):/.test(line),
    );
    expect(stored.length).toBeGreaterThan(5);
    expect(stored).not.toContain(false);
    for (const line of lines) expect(line).toMatch(/crossExamination|cross-examination|cross_examination/);
  });

  it('T-39 a later case that cites an examined one has none of it', async () => {
    const { id } = cases.get('incident')!;
    const answered = await post(`/reviews/${id}/answer`, {
      outcome: { action: 'ticket' },
      by: 'ann',
      note: 'The disk was replaced.',
    });
    expect(answered.status).toBeLessThan(300);
    await until('the answer is a past case', async () => (await rowsOf('past_cases', id)).length === 1);
    const later = await world.ended(
      (await world.accept({ playbook: 'incident', payload: alertNumber(2) })).caseId,
    );
    const used = artifactsOf(later).filter(({ artifact }) => artifact === 'evidence');
    expect(JSON.stringify(used)).toContain(id);
    const text = JSON.stringify(withoutPlanted(later as unknown as Json));
    const own = plantedOf(later).map((one) => one.text);
    expect(marksIn(text).filter((mark) => !own.includes(mark))).toEqual([]);
  });
});
