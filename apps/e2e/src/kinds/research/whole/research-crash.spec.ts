import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { pause, until } from '@casefile/contracts/testing';
import { fiveServices, type FiveServices } from '../../../testing/five-services.js';
import { NEVER_MS, PATIENT_OF_RESTARTS } from '../../../testing/patient-settings.js';
import { playResearch, RESEARCH_CALLS } from '../../../testing/research-simulator.js';
import { ended } from '../../../testing/world.js';
import { WHOLE_SYSTEM_MS } from '../../../testing/whole-system-limit.js';

/** How long a call of the model takes, so that a process can be killed while it is under way. */
const CALL_MS = 400;
const ROLES = { analystTimeoutMs: NEVER_MS, criticTimeoutMs: NEVER_MS, writerTimeoutMs: NEVER_MS };
const SAMPLES = new URL('../../../../../../samples/', import.meta.url);

describe('a research outlives its workers', () => {
  let system: FiveServices;
  beforeAll(async () => {
    system = await fiveServices({
      answer: playResearch(CALL_MS),
      settings: {
        // A lease of a second: another worker continues soon. No time limit of a role ends during a slow restart.
        lease: { seconds: 1, deadlinePauseMs: 600_000 },
        evidence: { pages: fileURLToPath(new URL('pages.json', SAMPLES)) },
        playbooks: { research: { ...PATIENT_OF_RESTARTS.playbooks.research, ...ROLES, reuseForMs: 0 } },
      },
    });
    await system.start();
  }, 400_000);
  afterAll(() => system.close());

  // Kills at every boundary, before calls and after them, by hand: `npm run measure -- boundary-run`.
  it('S5-70 continues after a kill -9 at each call, and pays for no recorded one again', async () => {
    const { simulator } = system;
    // The first sample, of the mode strict.
    const [alert] = JSON.parse(readFileSync(new URL('research.json', SAMPLES), 'utf8')) as [object];
    const caseId = await system.alert(alert);
    for (const [i, [stage, round, name, step]] of RESEARCH_CALLS.entries()) {
      const asked = () =>
        Object.entries(simulator.calls().byStep).some(
          ([key, calls]) => key.endsWith(`/${stage}/${round}/${step}`) && calls > 0,
        );
      await until(`${stage} of round ${round} is asked`, asked);
      // They die while the call is under way and at about the time of its answer, in turn.
      if (i % 2 === 1) await pause(CALL_MS, 'The process dies at about the time of the answer.');
      await system.service(name).signal('SIGKILL');
      await system.service(name).start();
    }
    const run = (await ended(system, caseId, WHOLE_SYSTEM_MS)).runs[0]!;
    expect(run.verdict).toMatchObject({
      disposition: 'act',
      outcome: { rounds: 3, converged: true, ruling: 'PASS', share: 1, sources: 7 },
    });
    for (const [stage, round, , step] of RESEARCH_CALLS) {
      const attempts = run.interactions.filter(
        (one) => one.stage === stage && one.round === round && one.step === step,
      );
      const completed = attempts.filter(({ state }) => state === 'completed');
      expect([stage, round, step, completed.length]).toEqual([stage, round, step, 1]);
      expect(attempts.at(-1)?.state).toBe('completed');
    }
    expect(run.interactions.every(({ state }) => ['completed', 'ambiguous'].includes(state))).toBe(true);
    // Nothing was asked that is not on the record; an intent may have died before its call was made.
    expect(simulator.calls().total).toBeLessThanOrEqual(run.interactions.length);
    expect(run.toolCalls.map(({ tool, state }) => [tool, state])).toEqual([['web_search', 'succeeded']]);
  }, 900_000);
});
