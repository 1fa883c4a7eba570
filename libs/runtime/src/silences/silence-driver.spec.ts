import { silentLogger, type OpenRunRequest, type UnsilencedVerdict } from '@casefile/contracts';
import { aRunSettings, manualClock } from '@casefile/contracts/testing';
import { playbooks } from '@casefile/shipped/loaded';
import { SilenceDriver } from './silence-driver.js';

const RUN = '01900000-0000-7000-8000-000000000001';
const verdict = (over: Partial<UnsilencedVerdict> = {}): UnsilencedVerdict => ({
  runId: RUN,
  caseId: '01900000-0000-7000-8000-000000000002',
  playbook: 'incident',
  alert: { text: 'The checkout is down' },
  leads: true,
  isOver: false,
  isAnswered: false,
  isEscalation: false,
  isOld: false,
  ...over,
});

/**
 * One pass over this verdict.
 * @param opens Whether the case still fires under its lock.
 * @param silenced Whether a silence holds.
 */
async function pass(over: Partial<UnsilencedVerdict>, { opens = true, silenced = false } = {}) {
  const opened: OpenRunRequest[] = [];
  const settled: string[] = [];
  const moved: object[] = [];
  const nudge = { kind: 'stage' } as never;
  const silences = {
    over: async () => [verdict(over)],
    inForce: async () =>
      silenced ? [{ id: 'b', matchers: [{ name: 'a', value: 'x', isRegex: false, isEqual: false }] }] : [],
    fields: async (runIds: readonly string[]) => runIds.map((runId) => ({ runId, fields: {} })),
    move: async (moves: readonly object[]) => void moved.push(...moves),
    settle: async (runIds: readonly string[]) => void settled.push(...runIds),
  };
  const driver = new SilenceDriver({
    store: {
      silences: silences as never,
      runs: {
        open: async (request) => {
          opened.push(request);
          return { runId: request.runId, nudges: opens ? [nudge] : [] };
        },
      },
    },
    playbooks,
    settingsOf: () => aRunSettings({}),
    firstStage: 'triage',
    nudger: { nudge: async () => undefined },
    clock: manualClock(),
    log: silentLogger,
  });
  await driver.tick();
  return { opened, settled, moved };
}

describe('after a silence, a withheld verdict', () => {
  it('of a case that fires is judged again once, as the escalation that it was', async () => {
    const first = await pass({ isEscalation: true });
    expect(first).toMatchObject({
      opened: [{ over: RUN, lane: 'live', onlyIfFiring: true, settings: { isEscalation: true } }],
      settled: [RUN],
    });
    // A repeated pass opens the same run.
    expect((await pass({})).opened[0]!.runId).toBe(first.opened[0]!.runId);
  });

  it('is not settled if its case changed meanwhile, because the change may be taken back', async () => {
    expect(await pass({}, { opens: false })).toMatchObject({ opened: [{}], settled: [] });
  });

  it.each([
    ['of an earlier run', { leads: false }, [RUN]],
    ['of an alert that ended', { isOver: true }, []],
    ['that a person answered', { isAnswered: true }, []],
    ['of an alert that ended long ago', { isOver: true, isOld: true }, [RUN]],
  ])('%s is not judged again', async (_what, over, settled) => {
    expect(await pass(over)).toEqual({ opened: [], settled, moved: [] });
  });

  it('waits for another silence that matches', async () => {
    const moved = [{ runId: RUN, silenceId: 'b' }];
    expect(await pass({}, { silenced: true })).toEqual({ opened: [], settled: [], moved });
  });
});
