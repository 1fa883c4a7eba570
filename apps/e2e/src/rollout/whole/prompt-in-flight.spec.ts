import type { RunDocument } from '@casefile/contracts';
import { FIVE_SERVICES, fiveServices, type FiveServices } from '../../testing/five-services.js';
import { PATIENT } from '../../testing/patient-settings.js';
import { OWN_LINE, stepBackInFlight, versionInFlight } from '../change-in-flight.js';

/** Cases that are under way when the version becomes live. */
const IN_FLIGHT = 24;
/** Time of a call of the model, so that cases are under way. */
const CALL_MS = 500;

describe('a change while cases are in flight in six processes', () => {
  let system: FiveServices;
  beforeAll(async () => {
    const services = [...FIVE_SERVICES, 'console'] as const;
    system = await fiveServices({ services, script: { delayMs: CALL_MS }, settings: PATIENT });
    await system.start();
  }, 300_000);
  afterAll(() => system.close());

  it('S4-58 each run has exactly one version of a prompt, and new runs of every process have the live one', async () => {
    const { runs, before, after, shipped, added } = await versionInFlight(system, IN_FLIGHT);
    // The cross-examination of an answer has a prompt of its own.
    const promptIdsOf = ({ interactions }: RunDocument) => [
      ...new Set(
        interactions.map(({ promptId }) => promptId).filter((id) => !id.includes('/cross-examination@')),
      ),
    ];
    for (const run of runs) {
      expect(run.status).toBe('decided');
      expect(promptIdsOf(run)).toEqual([run.settings.promptIds['answer']]);
      expect(run.verdict?.promptIds).toEqual(expect.arrayContaining(promptIdsOf(run)));
    }
    expect(before.map(({ settings }) => settings.promptIds['answer'])).toEqual(before.map(() => shipped));
    expect(after.map(({ settings }) => settings.promptIds['answer'])).toEqual(after.map(() => added));
    const sent = system.simulator.requests().map(({ body }) => JSON.stringify(body).includes(OWN_LINE));
    expect(sent.filter(Boolean).length).toBeGreaterThanOrEqual(after.length);
    expect(sent.filter((isNew) => !isNew).length).toBeGreaterThanOrEqual(before.length);
  }, 300_000);

  it('S4-57 new runs of every process have no arm after a step back', async () => {
    const followedAfter = await stepBackInFlight(system);
    expect(Object.keys(followedAfter)).toEqual(['ingest', 'console']);
  }, 300_000);
});
