import { readFileSync } from 'node:fs';
import { CASE_STATUSES } from '../record.js';
import { ENDED_STATUSES, RUN_STATUSES, UNIT_STATUSES, type UnitStatus } from '../run-status.js';
import { judgeClaim } from './claim-rules.js';
import {
  advanceUnit,
  decideRun,
  failStep,
  parkRun,
  postponeStep,
  stopRun,
  suspendUnit,
  type Move,
} from './move.js';

const page = readFileSync(new URL('../../../../docs/reference/states.md', import.meta.url), 'utf8');

/** Returns the transitions of the diagram below a heading, as `from > to`. */
function transitions(heading: string): string[] {
  const [, below = ''] = page.split(`## ${heading}\n`);
  const [, diagram = ''] = below.split('```mermaid\n');
  return [...(diagram.split('```')[0] ?? '').matchAll(/^ {2}(\S+) --> (\S+):/gm)].map(
    ([, from = '', to = '']) => `${from} > ${to}`,
  );
}

const statesIn = (heading: string) => new Set(transitions(heading).map((one) => one.split(' > ')[1]));
const targetsOf = (heading: string, from: string) =>
  transitions(heading)
    .filter((one) => one.startsWith(`${from} > `))
    .map((one) => one.split(' > ')[1])
    .sort();

const at = { stage: 'reason', round: 1, unit: '' };
const part = { ...at, unit: 'a' };
const why = { reasonCode: 'unexpected', message: 'x' };
const artifact = { name: 'draft', body: {} } as const;
const next = { stage: 'critique', round: 1 };
const verdict = {
  disposition: 'review',
  outcome: {},
  confidence: 0.5,
  confidenceSource: 'heuristic',
  method: 'heuristic',
  reasons: ['x'],
  citations: [],
  degraded: false,
  degradedBy: [],
  decidedAt: '2026-01-05T10:00:00.000Z',
};

const MOVES: Move[] = [
  advanceUnit(at, { artifact, next, joinStage: null, units: [] }),
  advanceUnit(at, { artifact, next, joinStage: 'write', units: ['a'] }),
  advanceUnit(part, { artifact, next: null, joinStage: 'write', units: [] }),
  decideRun(at, { artifact: { name: 'verdict', body: verdict }, deliveryId: null }),
  suspendUnit(at, { step: 1, calls: [], timeoutMs: 1 }),
  postponeStep(at, { delayMs: 1, reasonCode: 'x' }),
  stopRun(at, why),
  parkRun(at, why),
  failStep(at, { ...why, retryInMs: 1 }),
  failStep(at, { ...why, retryInMs: null }),
];

describe('the state diagrams of the documentation', () => {
  it.each([
    ['Case', CASE_STATUSES],
    ['Run', RUN_STATUSES],
    ['Unit', UNIT_STATUSES],
  ] as const)('%s has every status and no other', (heading, statuses) => {
    expect(statesIn(heading)).toEqual(new Set(statuses));
  });

  it('a running unit changes to what the moves of a stage say', () => {
    const reached = new Set(MOVES.map(({ unit }) => unit.toStatus));
    expect(targetsOf('Unit', 'running').filter((to) => to !== 'running')).toEqual([...reached].sort());
  });

  it('a run ends as the moves of a stage end it', () => {
    const ends = new Set(MOVES.flatMap(({ end }) => (end === undefined ? [] : [end.status as string])));
    expect(ends).toEqual(new Set(ENDED_STATUSES));
    expect(targetsOf('Run', 'running').filter((to) => ends.has(to ?? ''))).toEqual([...ends].sort());
  });

  it('a unit can be claimed in the statuses that lead to running', () => {
    const request = {
      stage: 'reason',
      round: 1,
      maxCrashes: 3,
      leaseMs: 1,
      crashWindowMs: 1,
      lastTry: 'take',
    };
    const canBeClaimed = (status: UnitStatus) =>
      judgeClaim(
        {
          ...at,
          status,
          leaseUntil: 0,
          resumeAt: 0,
          held: false,
          crashes: 0,
          firstCrashAt: null,
          waitOver: false,
          leftAt: null,
          pausedMs: 0,
        },
        request as Parameters<typeof judgeClaim>[1],
        10,
      ).kind === 'take';
    const drawn = UNIT_STATUSES.filter((status) => transitions('Unit').includes(`${status} > running`));
    expect(UNIT_STATUSES.filter(canBeClaimed)).toEqual(drawn);
  });
});
