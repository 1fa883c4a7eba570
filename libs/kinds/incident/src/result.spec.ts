import fc from 'fast-check';
import type { IncidentResult, Json, ReadCitation } from '@casefile/contracts';
import {
  aLookUp,
  aMonitoredAlert,
  anIncidentBrief,
  anIncidentInput,
  anItem,
  aRunbookItem,
  incidentEvidence,
} from './testing/incident-builders.js';
import { decideIncident, type Circumstances } from './action.js';
import { lookUpsOf, citationProblem, readable } from './look-ups.js';
import { shownRead } from './model/show.js';
import { resultIn } from './read-result.js';
import { answeredDraft, type Analysis, type Turns } from './result.js';
import { judgeByRules } from './rules/judge-by-rules.js';

const LOG =
  'checkout 5.2.0 started at 09:12\nERROR pool exhausted: 50 of 50 connections in use\np99 latency 4.31 s';
const input = anIncidentInput();
const turns = (calls = [aLookUp('cluster__logs', { text: LOG })]): Turns => ({
  calls,
  trace: [],
  iterations: 2,
  model: 'm',
  reasonCode: null,
  finished: { reason: 'done' },
  notes: [],
  remarks: [],
});
const analysis = (over: Partial<Analysis> = {}): Analysis => ({
  summary: 'The pool is exhausted [E2].',
  hypotheses: [
    {
      cause: 'The pool is exhausted',
      probability: 0.8,
      citations: [{ id: 'E2', quote: 'ERROR pool exhausted' }],
    },
  ],
  ruledOut: [],
  actions: [],
  impact: { now: true, what: 'checkout fails' },
  falseAlarm: { is: false, citations: [] },
  confidence: 0.9,
  ...over,
});
const settled = (over: Partial<Analysis> = {}, end = turns(), from = input) =>
  answeredDraft(analysis(over), end, from);
const hypothesis = (citations: ReadCitation[], cause = 'a cause') => ({ cause, probability: 0.5, citations });

const circumstances = (
  resolved: boolean,
  incident: Pick<Circumstances['incident'], 'name' | 'state'> = { name: 'DiskAlmostFull', state: 'firing' },
  said: Partial<Circumstances['incident']> = {},
): Circumstances => ({
  incident: { isNamed: true, textState: null, ...incident, ...said },
  resolved,
  options: { pageFrom: 0.7, alwaysFiring: ['Watchdog'] },
});

describe('S2-44 what of an analysis holds', () => {
  it('finds a quote whether or not the signs of JSON are copied with it', () => {
    const reads = lookUpsOf(input.evidence, [
      aLookUp('cluster__stats', { pool: { used: 50, max: 50 }, rate: 1.25 } as Json),
    ]);
    for (const quote of ['"used": 50', 'used: 50', '"rate": 1.25', '"rate":1.25'])
      expect(citationProblem({ id: 'E2', quote }, reads)).toBeNull();
    expect(citationProblem({ id: 'E2', quote: 'used: 5' }, reads)).toBe('quote_not_found');
    expect(citationProblem({ id: 'E2', quote: 'rate 1.2' }, reads)).toBe('quote_not_found');
    expect(citationProblem({ id: 'E2', quote: 'pool' }, reads)).toBe('quote_too_short');
    expect(citationProblem({ id: 'E9', quote: 'used: 50' }, reads)).toBe('unknown_id');
  });

  it('catches 1,000 forged citations and takes 1,000 honest ones', () => {
    const words = fc.array(fc.stringMatching(/^[a-z]{3,9}(\d{1,3})?$/), { minLength: 8, maxLength: 40 });
    let [caught, taken] = [0, 0];
    fc.assert(
      fc.property(words, fc.nat(), fc.constantFrom('id', 'word', 'figure', 'other'), (text, at, how) => {
        const result = `${text.join(' ')} value ${at}`;
        const reads = lookUpsOf(input.evidence, [
          aLookUp('cluster__logs', { text: result }),
          aLookUp('cluster__logs', { text: 'nothing like it' }),
        ]);
        const from = at % (text.length - 3);
        const quote = `${text.slice(from, from + 4).join(' ')}`;
        if (citationProblem({ id: 'E2', quote: `${quote} ` }, reads) === null) taken += 1;
        const forged = {
          id: { id: 'E7', quote },
          word: { id: 'E2', quote: `${quote} qqq` },
          figure: { id: 'E2', quote: `value ${at}1` },
          other: { id: 'E3', quote },
        }[how];
        if (citationProblem(forged, reads) !== null) caught += 1;
      }),
      { numRuns: 1_000, seed: 7 },
    );
    expect([caught, taken]).toEqual([1_000, 1_000]);
  });

  it('drops a cause that no result supports, the alert and the runbook included', () => {
    const draft = settled({
      hypotheses: [
        hypothesis([{ id: 'E2', quote: '50 of 50 connections in use' }], 'held'),
        hypothesis([{ id: 'E2', quote: 'the disk is full of logs' }], 'invented'),
        hypothesis([{ id: 'E1', quote: 'Disk of a database almost full' }], 'of the runbook'),
        hypothesis([], 'from memory'),
      ],
    });
    const result = resultIn(draft);
    expect(result.hypotheses.map(({ cause }) => cause)).toEqual(['held']);
    expect(result.dropped).toEqual(['invented', 'of the runbook', 'from memory']);
    expect(result.refuted.map(({ problem }) => problem)).toEqual(['quote_not_found', 'unknown_id']);
    // One of three citations holds.
    expect(draft.confidence).toBeCloseTo(1 / 3);
  });

  it('is hardly sure of anything if no cause is supported', () => {
    expect(settled({ hypotheses: [hypothesis([])] }).confidence).toBe(0.3);
    expect(settled({ hypotheses: [] }).confidence).toBe(0.3);
  });

  it('believes a false alarm only by words that were read', () => {
    const of = (citations: ReadCitation[]) =>
      resultIn(settled({ hypotheses: [], falseAlarm: { is: true, citations } })).falseAlarm;
    expect(of([{ id: 'E2', quote: 'p99 latency 4.31 s' }])).toHaveLength(1);
    expect(of([{ id: 'E2', quote: 'all is well again' }])).toBeNull();
    expect(of([])).toBeNull();
  });

  it('S2-47 shows what another model says of a long answer, and takes no citation from it', () => {
    const stored = { id: 'call-1', characters: 90_000, pages: 12 };
    const result = { stored, beginning: 'first line', end: 'last line', summary: 'The pool is used up.' };
    const [read] = lookUpsOf(anIncidentInput(incidentEvidence([])).evidence, [
      aLookUp('cluster__logs', result),
    ]);
    expect(shownRead(read!)).toMatch(
      /first line[^]*last line\nSummed up by another model, not to be cited: The pool/,
    );
    expect(citationProblem({ id: read!.id, quote: 'first line' }, [read!])).toBeNull();
    expect(citationProblem({ id: read!.id, quote: 'The pool is used up.' }, [read!])).toBe('quote_not_found');
  });

  it('shows texts of tools as they are, and anything else as JSON', () => {
    expect([readable('a'), readable({ text: 'b' }), readable({ n: 1 })]).toEqual(['a', 'b', '{\n "n": 1\n}']);
    // Content of an answer other than text is reported as missing.
    expect(readable({ text: 'b', leftOut: ['image image/png, about 3 bytes'] })).toBe(
      'b\n(left out: image image/png, about 3 bytes)',
    );
    expect(readable({ data: { n: 1 }, text: 'b' })).toBe('b\n{\n "n": 1\n}');
  });
});

const result = (over: Partial<IncidentResult> = {}): IncidentResult => ({
  ...resultIn(settled()),
  severity: 'warning',
  gaps: [],
  requiredFailed: [],
  ...over,
});
const rule = (
  over: Partial<IncidentResult>,
  { confidence = 0.9, method = 'llm' as 'llm' | 'heuristic', resolved = false } = {},
) => decideIncident(result(over), { confidence, method }, circumstances(resolved)).action;
const WELL = [{ id: 'E2', quote: 'p99 latency 4.31 s' }];
const HARM = { now: true, what: 'x' };
const NO_HARM = { now: false, what: 'x' };

describe('S2-44 the rule by which an incident is paged', () => {
  it.each([
    ['a needed look-up failed, critical', { requiredFailed: ['t'], severity: 'critical' }, {}, 'page'],
    ['a needed look-up failed', { requiredFailed: ['t'], impact: HARM }, {}, 'ticket'],
    [
      'a needed look-up failed, and nothing seems wrong',
      { requiredFailed: ['t'], falseAlarm: WELL },
      {},
      'ticket',
    ],
    ['resolved by its sender', { severity: 'critical' }, { resolved: true }, 'no-action'],
    ['resolved, whatever could not be looked up', { requiredFailed: ['t'] }, { resolved: true }, 'no-action'],
    ['nothing is wrong', { falseAlarm: WELL, severity: 'critical' }, {}, 'no-action'],
    [
      'nothing seems wrong, but there is a gap',
      { falseAlarm: WELL, gaps: ['g'], impact: NO_HARM },
      {},
      'ticket',
    ],
    [
      'rules never say that nothing is wrong',
      { falseAlarm: WELL, impact: NO_HARM },
      { method: 'heuristic' },
      'ticket',
    ],
    ['critical', { severity: 'critical', impact: NO_HARM }, { confidence: 0.1 }, 'page'],
    ['harm now, and sure', { impact: HARM }, { confidence: 0.7 }, 'page'],
    ['harm now, not sure', { impact: HARM }, { confidence: 0.69 }, 'ticket'],
    ['sure, no harm', { impact: NO_HARM }, {}, 'ticket'],
    ['rules page for no harm that they only suppose', { impact: HARM }, { method: 'heuristic' }, 'ticket'],
  ] as const)('%s', (_what, over, more, action) => {
    expect(rule(over as unknown as Partial<IncidentResult>, more)).toBe(action);
  });

  it.each([
    ['a test message', { name: 'DiskFull', state: 'test' }, 'no-action', /test message/],
    ['an alert that always fires by design', { name: 'Watchdog', state: 'firing' }, 'no-action', /by design/],
    [
      'a rule that could not be evaluated',
      { name: 'DatasourceError', state: 'no-data' },
      'ticket',
      /evaluated/,
    ],
  ] as const)('S2-49 pages no one for %s, also when it is critical', (_what, incident, action, because) => {
    const found = decideIncident(
      result({ severity: 'critical', requiredFailed: [] }),
      { confidence: 0.9, method: 'heuristic' },
      circumstances(false, incident),
    );
    expect(found).toMatchObject({ action, because: expect.stringMatching(because) });
  });

  it('reads no failed look-up as absence, in each of 100 cases: a gap is shown, and it is never no-action', () => {
    for (let i = 0; i < 100; i += 1) {
      const failing = {
        ...aLookUp('cluster__logs', null),
        state: 'failed' as const,
        reasonCode: 'timeout',
        message: `no answer ${i}`,
      };
      const calls = [aLookUp('cluster__disk_usage', { text: LOG }), failing].slice(i % 2);
      const draft = settled({ hypotheses: [], falseAlarm: { is: true, citations: WELL } }, turns(calls));
      const found = resultIn(draft);
      expect(found.gaps).toHaveLength(1);
      expect(decideIncident(found, draft, circumstances(false)).action).not.toBe('no-action');
    }
  });

  it('S2-41 counts a tool that the runbook names and that could not be used as a needed one', () => {
    const evidence = incidentEvidence([aRunbookItem()], {
      toolsOut: [{ name: 'cluster__logs', why: 'its server is down' }],
    });
    const found = resultIn(settled({}, turns([]), anIncidentInput(evidence)));
    expect(found.requiredFailed).toEqual(['cluster__logs']);
    expect(found.gaps).toEqual(['cluster__logs could not be used: its server is down']);
  });

  it('S2-46 counts a required tool whose server is down as a needed one', () => {
    const out = (required: boolean) => {
      const toolsOut = [{ name: 'mail__queue', why: 'mail is down', required }];
      return resultIn(settled({}, turns([]), anIncidentInput(incidentEvidence([], { toolsOut }))))
        .requiredFailed;
    };
    expect([out(true), out(false)]).toEqual([['mail__queue'], []]);
  });
});

describe('S2-49 an incident without a model', () => {
  const usage = anItem('E2', 'cluster__disk_usage', { text: 'db-2 97 %' }, { args: { instance: 'db-2' } });
  const judge = (alert = aMonitoredAlert()) =>
    judgeByRules(anIncidentInput(incidentEvidence([aRunbookItem(), usage]), anIncidentBrief(alert)));

  it('has severity, the first steps of the runbook and what its tools answered, and names no cause', () => {
    const draft = judge();
    const found = resultIn(draft);
    expect(draft).toMatchObject({ method: 'heuristic', confidenceSource: 'heuristic' });
    expect(found).toMatchObject({ severity: 'critical', hypotheses: [], falseAlarm: null });
    expect(found.summary).toBe(
      'DiskAlmostFull (critical, still firing): The disk of db-2 is 97 % full. No model looked for a cause.',
    );
    expect(found.lookUps).toMatchObject([{ id: 'E2', said: 'db-2 97 %' }]);
    // The first step is done: its tool has answered.
    expect(found.steps.map(({ what }) => what)).toEqual([
      'Look for what grows: `cluster__logs {"service": "$labels.service", "query": "wal"}`',
      'If old WAL segments pile up, look for a replica that no longer reads them.',
    ]);
  });

  it.each([
    ['critical', 'firing', 'page'],
    ['warning', 'firing', 'ticket'],
    ['info', 'firing', 'ticket'],
    ['critical', 'resolved', 'no-action'],
  ])('pages when %s and %s: %s', (severity, status, action) => {
    const alert = aMonitoredAlert({ severity }, { status });
    const draft = judge(alert);
    const resolved = status === 'resolved';
    expect(decideIncident(resultIn(draft), draft, circumstances(resolved)).action).toBe(action);
  });
});
