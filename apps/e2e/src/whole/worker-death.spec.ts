import { pause, until } from '@casefile/contracts/testing';
import { questionText } from '@casefile/kit/demonstration/question';
import { standStill } from '../fault-run/stand-still.js';
import { FIVE_SERVICES, fiveServices, type FiveServices } from '../testing/five-services.js';
import type { ServiceProcess } from '../testing/service-processes.js';
import { ended } from '../testing/world.js';
import { WHOLE_SYSTEM_MS } from '../testing/whole-system-limit.js';

/** Of the strategy of message-screening, and how long the reasoner stays away: longer than that. */
const DEADLINE_MS = 15_000;
const AWAY_MS = DEADLINE_MS + 1_000;
/** Duration of a call of the model, so that a process can be stopped during the call. */
const CALL_MS = 1_000;
/** Calls about these do not end before their worker dies, as often as said, so that a slow machine changes nothing. */
const HANGS: Record<string, number> = { '010 1234': 1, 'Beside it 1': 2, 'Beside it 2': 2, 'Beside it 3': 2 };
/** Duration of the first call about the case whose worker stands still during it. */
const LONG_CALL_MS = 5_000;

/** A short lease: another worker continues soon. In scam-verdict no deadline passes, however slow the machine is. */
const SETTINGS = {
  lease: { seconds: 2, deadlinePauseMs: 120_000 },
  playbooks: { 'message-screening': { deadlineMs: DEADLINE_MS }, 'scam-verdict': { deadlineMs: 600_000 } },
};

describe('a worker that dies or stands still', () => {
  let system: FiveServices;
  let [reasoner, second]: ServiceProcess[] = [] as never;
  const calls = new Map<string, number>();
  let deaths = 0;
  beforeAll(async () => {
    system = await fiveServices({
      script: { delayMs: CALL_MS },
      answer: (question) => {
        const text = questionText(question, 'user');
        if (text.includes('poisonous')) return { kind: 'hang' };
        const part = ['010 7777', ...Object.keys(HANGS)].find((one) => text.includes(one));
        if (part === undefined) return null;
        const call = (calls.get(part) ?? 0) + 1;
        calls.set(part, call);
        if (part === '010 7777') return call === 1 ? { kind: 'rules', delayMs: LONG_CALL_MS } : null;
        // After the second death no further call of these may hang, because their worker would not die.
        return call <= HANGS[part]! && deaths < 2 ? { kind: 'hang' } : null;
      },
      settings: SETTINGS,
      services: [...FIVE_SERVICES, 'reasoner'],
    });
    [reasoner, second] = system.services.filter(({ name }) => name === 'reasoner');
    await Promise.all(system.services.filter((one) => one !== second).map((one) => one.start()));
  }, 300_000);
  afterAll(() => system.close());
  const handIn = (text: string, playbook = 'scam-verdict') => system.alert({ playbook, text });
  const callsAbout = (text: string) =>
    system.simulator.requests().filter(({ body }) => JSON.stringify(body).includes(text)).length;

  it('E-13 the time without a reasoner does not count: the case is decided by the model all the same', async () => {
    const caseId = await handIn('Your account is blocked, call +1 555 010 1234 now', 'message-screening');
    await until('the model is asked', () => callsAbout('010 1234') === 1);
    await reasoner!.signal('SIGKILL');
    await pause(AWAY_MS, 'The deadline passes while there is no reasoner.');
    await reasoner!.start();
    const run = (await ended(system, caseId, WHOLE_SYSTEM_MS)).runs[0]!;
    const answers = run.interactions.filter(({ stage, step }) => stage === 'reason' && step === 1);
    expect(answers.map(({ state }) => state)).toEqual(['ambiguous', 'completed']);
    expect(run.verdict).toMatchObject({ method: 'llm', degraded: false });
  }, 300_000);

  it('R14 an alert that kills its worker each time is alone quarantined, after the third', async () => {
    const poisonous = await handIn('A poisonous text, call +1 555 010 9999 now');
    // Under way at the first deaths, as the poisonous one is.
    const beside = await Promise.all(
      [1, 2, 3].map((n) => handIn(`Beside it ${n}, call +1 555 010 200${n} now`)),
    );
    await until('all are under way', () => [1, 2, 3].every((n) => callsAbout(`Beside it ${n}`) === 1));
    const others: string[] = [];
    for (let death = 1; death <= 3; death += 1) {
      await until(`its worker is at it, time ${death}`, () => callsAbout('poisonous') >= death);
      await reasoner!.signal('SIGKILL');
      deaths = death;
      await reasoner!.start();
      // Under way at the deaths that follow, two at most.
      others.push(await handIn(`Your account ${death} is blocked, call +1 555 010 100${death} now`));
    }
    const { runs } = await ended(system, poisonous, WHOLE_SYSTEM_MS);
    expect(runs).toMatchObject([{ status: 'quarantined', reasonCode: 'crashed_repeatedly' }]);
    for (const caseId of [...beside, ...others]) {
      const { runs: decided } = await ended(system, caseId, WHOLE_SYSTEM_MS);
      expect(decided).toMatchObject([{ status: 'decided', verdict: { method: 'llm' } }]);
    }
    expect((await system.store.deadLetters.find({ limit: 10 })).items).toHaveLength(1);
  }, 300_000);

  it('R5 a reasoner that stood still past its lease writes nothing when it continues', async () => {
    const { before, after } = await standStill(system, reasoner!, second!);
    expect(after).toEqual(before);
    expect(after.artifacts.filter(({ artifact }) => artifact === 'draft')).toHaveLength(1);
    const answers = after.interactions.filter(({ stage, step }) => stage === 'reason' && step === 1);
    expect(answers.map(({ state }) => state)).toEqual(['ambiguous', 'completed']);
  }, 300_000);
});
