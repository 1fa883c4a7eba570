import { consoleWith } from '@casefile/console/console';
import { NO_CHANGES, conditionListSchema, silentLogger, type Condition } from '@casefile/contracts';
import { manualClock, until } from '@casefile/contracts/testing';
import { Heartbeat, SettingsCopy, startService, type RunningService } from '@casefile/runtime';
import type { PostgresStore } from '@casefile/store';
import { countOutcomes, startExperiment, testAct } from '../testing/experiments.js';
import { realWorld, type World } from '../testing/world.js';

let world: World;
let service: RunningService;
let store: PostgresStore;

beforeAll(async () => {
  world = await realWorld('inline', null);
  store = world.platform.store as PostgresStore;
  service = await startService(consoleWith({ dashboard: '/nowhere' }), world.platform);
});
afterAll(async () => {
  await service.close();
  await world.close();
});

async function condition(id: string): Promise<Condition | undefined> {
  const answer = await fetch(`${service.url}/api/v1/conditions`);
  return conditionListSchema.parse(await answer.json()).conditions.find((one) => one.id === id);
}
/** Polls until the condition holds, or no longer holds; the console reads it at most every second. */
async function untilCondition(id: string, holds: boolean): Promise<Condition | undefined> {
  let current: Condition | undefined;
  await until(`${id} is ${holds ? 'shown' : 'gone'}`, async () => {
    current = await condition(id);
    return (current !== undefined) === holds;
  });
  return current;
}

describe('conditions of a rollout', () => {
  it('S4-57 name an experiment that stepped back, until a person resets it', async () => {
    const id = await startExperiment(store, 'scam-verdict');
    expect(await condition('step_back')).toBeUndefined();
    await countOutcomes(store, id, { control: '.......', changed: '.xxxxxx' });
    expect(await untilCondition('step_back', true)).toMatchObject({
      severity: 'warning',
      since: expect.stringMatching(/^20/),
      text: 'The experiment shorter prompt stepped back: arm new failed 6 times in a row',
      act: expect.stringContaining(`casefile experiments reset ${id}`),
    });
    expect(await condition('both_arms_fail')).toBeUndefined();
    await store.flags.reset(id, testAct());
    await untilCondition('step_back', false);
  });

  it('S4-57 report errors of both arms at once, without a step back', async () => {
    const id = await startExperiment(store, 'scam-verdict', { name: 'other options' });
    const both = { control: '....xxxxxxxxxxxx', changed: '....xxxxxxxxxxxx' };
    expect(await countOutcomes(store, id, both)).toBeNull();
    expect(await untilCondition('both_arms_fail', true)).toMatchObject({
      text: 'Both arms of the experiment other options fail: invalid_answer',
      effect: expect.stringContaining('not counted against the new arm'),
    });
    expect(await condition('step_back')).toBeUndefined();
    await countOutcomes(store, id, { control: '....', changed: '....' });
    await untilCondition('both_arms_fail', false);
  });

  it('S4-57 name a process that cannot read the flags, until it reads them again', async () => {
    const clock = manualClock();
    let isOut = false;
    const read = async () => {
      if (isOut) throw new Error('out');
      return store.settings.read();
    };
    const settings = new SettingsCopy({ settings: { read }, changes: NO_CHANGES, clock, log: silentLogger });
    const { config, ids, log } = world.platform;
    const ports = { config, store, ids, log, clock, settings, probes: { found: () => [] } };
    const heartbeat = new Heartbeat(['ingest'], ports);
    await settings.start();
    await heartbeat.start();
    expect(await condition('flag_copy_stale')).toBeUndefined();
    isOut = true;
    clock.advance(10_001);
    expect(settings.current().stale).toBe(true);
    expect(await untilCondition('flag_copy_stale', true)).toMatchObject({
      text: 'Ingest has not read flags and prompt versions for more than 10 s',
      effect: expect.stringContaining('belong to no experiment'),
    });
    isOut = false;
    await untilCondition('flag_copy_stale', false);
    expect(settings.current().stale).toBe(false);
    await heartbeat.stop();
    await settings.stop();
  });
});
