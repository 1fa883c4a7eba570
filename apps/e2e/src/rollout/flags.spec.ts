import { run } from '@casefile/cli/program';
import { memoryTerminal } from '@casefile/cli/testing/memory-terminal';
import { consoleWith } from '@casefile/console/console';
import { experimentFlag, flagListSchema, problemSchema } from '@casefile/contracts';
import { until } from '@casefile/contracts/testing';
import { startService, type RunningService } from '@casefile/runtime';
import type { PostgresStore } from '@casefile/store';
import { countOutcomes, startExperiment } from '../testing/experiments.js';
import { settledEvents } from '../testing/settled-events.js';
import { realWorld, type World } from '../testing/world.js';

let world: World;
let service: RunningService;
let store: PostgresStore;
let id: string;
let name: string;

beforeAll(async () => {
  world = await realWorld('inline', null);
  store = world.platform.store as PostgresStore;
  service = await startService(consoleWith({ dashboard: '/nowhere' }), world.platform);
  id = await startExperiment(store, 'scam-verdict', { share: 1 });
  name = experimentFlag(id);
});
afterAll(async () => {
  await service.close();
  await world.close();
});

async function casefile(...args: string[]) {
  const terminal = memoryTerminal();
  const code = await run([...args, '--console', service.url], terminal);
  return { code, text: [...terminal.lines, ...terminal.errors].join('\n') };
}
const post = async (path: string, body: object) => {
  const answer = await fetch(`${service.url}/api/v1${path}`, {
    method: 'POST',
    body: JSON.stringify(body),
    headers: { 'content-type': 'application/json' },
  });
  const given = (await answer.json()) as Record<string, unknown>;
  return { status: answer.status, body: given, problem: problemSchema.partial().parse(given) };
};
const flagEvents = async () => {
  const events = await settledEvents(world);
  return events.filter(({ type }) => type.startsWith('flag.') || type === 'experiment.reset');
};
/** Polls until the copy of this process has the variant, as new runs do. */
const inForce = (variant: string) =>
  until('the variant is in force', async () =>
    world.platform.rollout.current().flags.some((flag) => flag.name === name && flag.variant === variant),
  );
async function armOfNewRun(parcel: string): Promise<string | undefined> {
  const text = `Your parcel ${parcel} is held. Pay the fee at https://parcel.example/pay`;
  const { caseId } = await world.accept({ playbook: 'scam-verdict', text, collect: false });
  return (await world.ended(caseId)).runs[0]?.settings.experiment?.arm;
}

describe('casefile flags', () => {
  it('S4-57 lists flags and sets one: in force for new runs without a restart, with who and why', async () => {
    await inForce('on');
    expect(await armOfNewRun('1')).toBe('new');
    expect(await casefile('flags', 'list')).toEqual({
      code: 0,
      text: expect.stringMatching(new RegExp(`^${name} {2}on {2}20\\S+ {2}ann: start$`)),
    });
    const off = await casefile('flags', 'set', name, 'off', '--reason', 'too many complaints', '--by', 'bob');
    expect(off).toEqual({ code: 0, text: expect.stringContaining('bob: too many complaints') });
    await inForce('off');
    expect(await armOfNewRun('2')).toBeUndefined();
    expect((await flagEvents()).at(-1)).toMatchObject({
      type: 'flag.changed',
      data: { flag: name, from: 'on', to: 'off', by: 'bob', reason: 'too many complaints' },
    });
  });

  it('S4-57 acts once for a repeated request', async () => {
    const before = (await flagEvents()).length;
    const body = { variant: 'on', by: 'ann', reason: 'fixed', actId: 'again' };
    const first = await post(`/flags/${name}`, body);
    const second = await post(`/flags/${name}`, body);
    expect([first.status, second.status]).toEqual([200, 200]);
    expect(second.body).toEqual(first.body);
    expect(first.body).toMatchObject({ variant: 'on', version: 3, latched: false });
    expect((await flagEvents()).length).toBe(before + 1);
    expect(
      flagListSchema.parse(await (await fetch(`${service.url}/api/v1/flags`)).json()).flags,
    ).toHaveLength(1);
  });

  it('S4-57 names the field that is wrong, and the flags that there are', async () => {
    const act = { by: 'ann', reason: 'x' };
    const paths = async (path: string, body: object) => {
      const answer = await post(path, body);
      return [answer.status, answer.problem.errors?.map((error) => error.path)];
    };
    expect(await paths(`/flags/${name}`, { ...act, variant: 'half' })).toEqual([400, ['variant']]);
    expect(await paths(`/flags/${name}`, { variant: 'on', by: 'ann' })).toEqual([400, ['reason']]);
    expect(await paths(`/flags/${name}`, { variant: 'on', reason: 'x', by: ' ' })).toEqual([400, ['by']]);
    expect(await paths('/experiments/one/reset', act)).toEqual([400, ['id']]);
    const unknown = await post('/flags/experiment.other', { ...act, variant: 'on' });
    expect([unknown.status, unknown.problem.detail]).toEqual([404, expect.stringContaining(name)]);
    expect((await post('/experiments/01930000-0000-7000-8000-000000000036/reset', act)).status).toBe(404);
    expect((await casefile('flags', 'set', name, 'half', '--reason', 'x')).text).toContain(
      'Expected on or off.',
    );
  });

  it('S4-57 keeps a step back until a person resets it; the experiment must be started again', async () => {
    expect(await countOutcomes(store, id, { control: '.......', changed: '.xxxxxx' })).toMatchObject({
      cause: 'consecutive_errors',
    });
    await inForce('off');
    expect((await casefile('flags', 'list')).text).toContain('off (stepped back: reset it)');
    const refused = await casefile('flags', 'set', name, 'on', '--reason', 'again');
    expect([refused.code, refused.text]).toEqual([1, expect.stringContaining('reset its experiment first')]);
    const reset = await casefile(
      'experiments',
      'reset',
      id,
      '--reason',
      'the prompt is corrected',
      '--by',
      'bob',
    );
    expect(reset).toEqual({
      code: 0,
      text: expect.stringMatching(/ {2}off {2}20\S+ {2}bob: the prompt is corrected$/),
    });
    const twice = await casefile('experiments', 'reset', id, '--reason', 'again');
    expect([twice.code, twice.text]).toEqual([1, expect.stringContaining('has not stepped back')]);
    const stopped = await casefile('flags', 'set', name, 'on', '--reason', 'again');
    expect([stopped.code, stopped.text]).toEqual([1, expect.stringContaining('does not run')]);
    expect((await flagEvents()).slice(-2).map(({ type, data }) => [type, data['by']])).toEqual([
      ['flag.stepped_back', 'rule'],
      ['experiment.reset', 'bob'],
    ]);
  });
});
