import { copyFile, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import {
  seededRandom,
  silentLogger,
  type ForecastCount,
  type LabelFacts,
  type Quality,
  type VerdictCounts,
} from '@casefile/contracts';
import type { ConsolePorts } from './console-ports.js';
import { readEvaluations, RESULTS } from './evaluations.js';
import type { Exchange } from './http/route.js';
import { qualityView } from './quality-view.js';
import { qualityRoutes } from './routes/quality.js';

const RANGE = { from: '2026-01-01T00:00:00.000Z', to: '2026-02-01T00:00:00.000Z' };

const counts = (over: Partial<VerdictCounts> = {}): VerdictCounts => ({
  playbook: 'parcel',
  group: null,
  verdicts: 200,
  labelled: 50,
  right: 46,
  acts: 20,
  actsLabelled: 10,
  actsRight: 9,
  reviews: 30,
  reviewsLabelled: 30,
  reviewsRight: 15,
  sampledLabelled: 10,
  sampledRight: 9,
  degraded: 4,
  cited: 400,
  verified: 396,
  calls: 210,
  unpriced: 0,
  tokens: 80_000,
  costUsd: 0.4,
  p50Ms: 900,
  p95Ms: 2_500,
  ...over,
});

const source = {
  playbook: 'parcel',
  strategy: 's',
  prompts: 'parcel/answer@1',
  model: 'm',
  language: 'en',
  confidenceSource: 'llm',
  recalibration: null,
};

function view(
  forecasts: ForecastCount[],
  rows = [counts()],
  query = {},
  facts: LabelFacts[] = [],
): ReturnType<typeof qualityView> {
  const figures = {
    counts: async () => rows,
    series: async () => [],
    forecasts: async () => forecasts,
    labelFacts: async () => facts,
    missing: async () => [],
    examiners: async () => [],
  };
  return qualityView(figures, { ...RANGE, ...query });
}

/** Labels of a source that is right as often as it says, drawn with a seed. */
function honest(n: number, over: Partial<ForecastCount> = {}): ForecastCount[] {
  const random = seededRandom(7);
  return [0.55, 0.65, 0.75, 0.85, 0.95].map((confidence) => {
    const drawn = Array.from({ length: n / 5 }, () => random() < confidence);
    return { ...source, ...over, confidence, labels: drawn.length, right: drawn.filter(Boolean).length };
  });
}

describe('quality', () => {
  it('S4-60 states each share with its counts and 95 % interval', async () => {
    const [row] = (await view([])).quality;
    // Wilson: 46 of 50.
    expect(row).toMatchObject({ verdicts: 200, labels: 50, accuracy: { part: 46, of: 50, share: 0.92 } });
    expect(row?.accuracy.low).toBeCloseTo(0.8116, 4);
    expect(row?.accuracy.high).toBeCloseTo(0.9685, 4);
    expect(row).toMatchObject({
      costUsdPerVerdict: 0.002,
      tokensPerVerdict: 400,
      citationAccuracy: { share: 0.99 },
    });
  });

  it('S4-59 estimates how right all verdicts are from those that were drawn at random', async () => {
    const [row] = (await view([])).quality;
    expect(row?.estimatedAccuracy?.value).toBeCloseTo(0.15 * 0.5 + 0.85 * 0.9, 10);
    const [unknown] = (await view([], [counts({ sampledLabelled: 0, sampledRight: 0 })])).quality;
    expect(unknown?.estimatedAccuracy).toBeNull();
  });

  it('S4-60 states no share of nothing', async () => {
    const [row] = (await view([], [counts({ labelled: 0, right: 0 })])).quality;
    expect(row?.accuracy).toEqual({ part: 0, of: 0, share: null, low: null, high: null });
  });

  it('S4-60 states no calibration under 100 labels', async () => {
    const { calibration } = await view(honest(95));
    expect(calibration).toEqual([
      {
        ...source,
        labels: 95,
        error: null,
        brier: null,
        bins: [],
        actFrom: null,
        acting: null,
        age: null,
        drift: null,
      },
    ]);
  });

  it('S4-60 states the calibration of each source apart', async () => {
    const { calibration } = await view([...honest(500), ...honest(100, { confidenceSource: 'heuristic' })]);
    expect(calibration.map(({ confidenceSource, labels }) => [confidenceSource, labels])).toEqual([
      ['llm', 500],
      ['heuristic', 100],
    ]);
    expect(calibration[0]?.error?.low).toBe(0);
    expect(calibration[0]?.bins.length).toBeGreaterThan(2);
  });

  it('S4-60 finds a source that is too sure of itself', async () => {
    const sure = [{ ...source, confidence: 0.95, labels: 400, right: 240 }];
    const [shown] = (await view(sure)).calibration;
    expect(shown?.error?.value).toBeCloseTo(0.35, 1);
    expect(shown?.error?.low).toBeGreaterThan(0.25);
    expect(shown?.actFrom).toBeNull();
  });

  it('S4-60 states age and drift of the labels, and those of earlier settings', async () => {
    const times = { oldest: '2026-01-01', newest: '2026-01-31', median: '2026-01-20' };
    const halves = { olderLabels: 100, olderRight: 90, newerLabels: 100, newerRight: 60 };
    const { confidence: _, labels: _labels, right: _right, ...of } = honest(5)[0]!;
    const old = { ...of, ...times, ...halves, prompts: 'parcel/answer@0', isCurrent: false };
    const facts = [{ ...of, ...times, ...halves, isCurrent: true }, old];
    const shown = await view(honest(200), [counts()], {}, facts);
    expect(shown.labelsBeforeCurrent).toMatchObject({ part: 200, of: 400 });
    expect(shown.calibration[0]).toMatchObject({
      age: { ...times, isCurrent: true },
      drift: { older: { share: 0.9 }, newer: { share: 0.6 }, isDrift: true },
    });
    const steady = [{ ...facts[0]!, newerRight: 88 }];
    expect((await view(honest(200), [counts()], {}, steady)).calibration[0]?.drift?.isDrift).toBe(false);
  });

  it('S4-60 shows hours up to three days, then days', async () => {
    expect((await view([], [], { from: '2026-01-29T00:00:00.000Z' })).step).toBe('hour');
    expect((await view([])).step).toBe('day');
  });

  it.each([
    ['a kind that does not exist', { playbook: 'letter' }, { reasonCode: 'not_found' }],
    [
      'a range that ends before it begins',
      { from: RANGE.to, to: RANGE.from },
      { problems: [{ path: 'from', message: expect.stringContaining('before') }] },
    ],
  ])('S4-60 refuses %s', async (_, query, refused) => {
    const ports = { playbooks: [{ name: 'parcel' }], now: () => 0 } as unknown as ConsolePorts;
    const input = { params: undefined, query, body: undefined };
    await expect(qualityRoutes[0]!.handler(ports, input as never, {} as Exchange)).rejects.toMatchObject(
      refused,
    );
  });
});

describe('results of labelled sets', () => {
  let folder: string;
  beforeEach(async () => void (folder = await mkdtemp(join(tmpdir(), 'results-'))));
  afterEach(() => rm(folder, { recursive: true }));

  const RESULT = '2026-11-26_message-screening_unseen_rules.json';

  it('S4-60 shows each published result of the repository', async () => {
    const warn = jest.fn();
    const names = (await readdir(RESULTS)).filter((name) => name.endsWith('.json'));
    const read = await readEvaluations(RESULTS, { warn });
    expect(read.map(({ file }) => file).sort()).toEqual(names.sort());
    expect(warn).not.toHaveBeenCalled();
    expect(read.find(({ file }) => file === RESULT)).toMatchObject({
      playbook: 'message-screening',
      set: 'unseen',
      unseen: true,
      by: 'rules',
      date: '2026-11-26',
      verdicts: 180,
      labels: 180,
      // The Wilson interval, as the file states it.
      accuracy: { part: 171, of: 180, share: 0.95, low: expect.closeTo(0.9077, 4) },
      reviewShare: { part: 14, of: 180 },
    });
  });

  it('S4-60 leaves out a file that is no result, with a warning that names the field', async () => {
    const warn = jest.fn();
    await copyFile(join(RESULTS, RESULT), join(folder, RESULT));
    await writeFile(join(folder, 'cut.json'), '{"format": 1');
    await writeFile(join(folder, 'other.json'), '{"format": 1, "date": "yesterday"}');
    await writeFile(join(folder, 'index.md'), 'not read');
    expect((await readEvaluations(folder, { warn })).map(({ file }) => file)).toEqual([RESULT]);
    expect(warn.mock.calls.map(([{ file }]) => file).sort()).toEqual(['cut.json', 'other.json']);
    const { error } = warn.mock.calls.map(([facts]) => facts).find(({ file }) => file === 'other.json');
    expect(error.problems).toContainEqual(expect.objectContaining({ path: 'date' }));
  });

  it('S4-60 shows none without the folder', async () => {
    expect(await readEvaluations(join(folder, 'none'), silentLogger)).toEqual([]);
  });

  it('S4-60 answers the results of the kind that is asked for', async () => {
    const evaluations = await readEvaluations(RESULTS, silentLogger);
    const none = async () => [];
    const ports = {
      playbooks: [{ name: 'incident' }],
      now: () => Date.parse(RANGE.to),
      evaluations,
      store: {
        qualityFigures: {
          counts: none,
          series: none,
          forecasts: none,
          labelFacts: none,
          missing: none,
          examiners: none,
        },
      },
    } as unknown as ConsolePorts;
    const ask = (query: object) =>
      qualityRoutes[0]!.handler(
        ports,
        { params: undefined, query, body: undefined } as never,
        {} as Exchange,
      ) as Promise<Quality>;
    expect((await ask({})).evaluations).toEqual(evaluations);
    const own = (await ask({ playbook: 'incident' })).evaluations;
    expect(own.map(({ playbook, set }) => [playbook, set])).toEqual([
      ['incident', 'seen'],
      ['incident', 'unseen'],
    ]);
  });
});

describe('examiners', () => {
  const none = async () => [];
  const shown = async (planted: number, supported: number) => {
    const counts = { provider: 'acme', model: 'm', examinations: planted, planted, supported };
    const figures = { counts: none, series: none, forecasts: none, labelFacts: none, missing: none };
    const { examiners } = await qualityView(
      { ...figures, examiners: async () => [{ ...counts, labelled: 4, agreed: 3 }] },
      { from: '2026-01-01T00:00:00.000Z', to: '2026-01-02T00:00:00.000Z' },
    );
    return examiners;
  };

  it('T-39 an examiner that supported more than 10 % of at least 20 planted claims is doubtful', async () => {
    expect(await shown(20, 3)).toMatchObject([
      {
        plantedSupported: { part: 3, of: 20, share: 0.15 },
        agreement: { part: 3, of: 4 },
        isDoubtful: true,
      },
    ]);
    for (const [planted, supported] of [
      [20, 2],
      [19, 19],
      [0, 0],
    ] as const)
      expect(await shown(planted, supported)).toMatchObject([{ isDoubtful: false }]);
  });
});
