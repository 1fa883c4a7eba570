import {
  noTelemetry,
  type AcceptRequest,
  type AlertInput,
  type CaseStore,
  type Runs,
} from '@casefile/contracts';
import { aRunSettings, countingIds, manualClock } from '@casefile/contracts/testing';
import { sameContent, sameTrouble, type Playbook } from '@casefile/pipeline';
import { maskJson } from '@casefile/masking';
import { queryAcceptOptions } from './accept-options.js';
import { Intake, type IntakePorts } from './intake.js';

const PNG = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a, 1, 2]).toString('base64');

const BOUNDS = { maxAlertValues: 50_000, maxObjectKeys: 1_000, maxAlertBytes: 1_000_000 };

type Over = { backlog?: number; unusable?: string; intake?: Partial<Playbook['intake']> } & Partial<
  Omit<Playbook, 'intake'>
>;

function setUp(over: Over = {}, mask: IntakePorts['mask'] = async (value) => ({ value })) {
  const taken: AcceptRequest[] = [];
  const accept: Runs['accept'] = async (request) => {
    taken.push(request);
    const { alertId, caseId, runId } = request;
    return { kind: 'accepted', alertId, caseId, runId, joined: false, nudges: [] };
  };
  const playbook = {
    name: 'scam-verdict',
    presenting: {},
    ...over,
    intake: {
      claims: () => ({ strength: 'matches', why: 'It fits.' }),
      problems: () => [],
      repeats: sameContent(1),
      entrances: [],
      ...over.intake,
    },
  } as unknown as Playbook;
  const store = { runs: { accept, backlog: async () => over.backlog ?? 0 } } as unknown as CaseStore;
  const ports = {
    store,
    nudger: { nudge: async () => undefined },
    queue: { unusable: () => over.unusable ?? null },
    playbooks: [playbook],
    settingsOf: () => aRunSettings(),
    firstStage: 'triage',
    mask,
  };
  const limits = { maxBacklog: 10, retryAfterMs: 7_000, fingerprintKey: 'k', bounds: BOUNDS };
  const intake = new Intake(
    { ...ports, clock: manualClock(), ids: countingIds(), telemetry: noTelemetry },
    limits,
  );
  return { intake, taken };
}

const problemsOf = (body: unknown) =>
  setUp()
    .intake.accept(body)
    .then(
      () => [],
      (error: { problems: { path: string; message: string }[] }) =>
        error.problems.map((problem) => problem.path),
    );

describe('S2-32 the line that names an alert in lists', () => {
  const presenting = { display: { line: ['payload.vendor', 'payload.note'] } } as Playbook['presenting'];
  const lineOf = async (alert: object, over: Over = {}) => {
    const { intake, taken } = setUp(over, maskJson);
    await intake.accept(alert);
    return taken[0]!.line;
  };

  it('has the values that the kind declares, with masked secrets', async () => {
    const payload = { vendor: 'Desks', note: 'API_TOKEN=abcdefgh12345678' };
    expect(await lineOf({ text: 'Pay', payload }, { presenting })).toBe('Desks · API_TOKEN=[masked]');
  });

  it('is the text, else the first text of the payload, of a kind without a declaration', async () => {
    expect(await lineOf({ text: ' Pay now ', payload: { a: 'b' } })).toBe('Pay now');
    expect(await lineOf({ payload: { n: 1, a: { b: 'deep' } } })).toBe('deep');
  });
});

describe('S2-48 secrets of alerts', () => {
  const image = { mediaType: 'image/png' as const, base64: PNG };
  const alert = {
    text: 'login failed with DB_PASSWORD=hunter22x',
    payload: { env: [{ name: 'API_TOKEN', value: 'abc def' }], url: 'https://ann:s3cretpw@host.example/' },
    labels: { host: 'db-1' },
    image,
  };

  it('are masked before the alert is recorded; the fingerprint is that of the unmasked alert', async () => {
    const { intake, taken } = setUp({}, maskJson);
    await intake.accept(alert);
    const plain = setUp();
    await plain.intake.accept(alert);
    expect(taken[0]!.alert).toMatchObject({
      text: 'login failed with DB_PASSWORD=[masked]',
      payload: {
        env: [{ name: 'API_TOKEN', value: '[masked]' }],
        url: 'https://ann:[masked]@host.example/',
      },
      labels: { host: 'db-1' },
      image,
    });
    expect(taken[0]!.fingerprint).toBe(plain.taken[0]!.fingerprint);
    expect(plain.taken[0]!.alert).toMatchObject(alert);
  });

  it('make intake refuse an alert that cannot be scanned for them, so that the sender keeps it', async () => {
    const { intake, taken } = setUp({}, () => Promise.reject(new Error('no rules')));
    await expect(intake.accept(alert)).rejects.toMatchObject({ reasonCode: 'withheld' });
    expect(taken).toEqual([]);
  });
});

describe('intake', () => {
  it('S1-01 takes text, or an image, and keeps both', async () => {
    const { intake, taken } = setUp();
    await intake.accept({ text: 'hello', image: { mediaType: 'image/png', base64: PNG } });
    expect(taken[0]?.alert).toMatchObject({ text: 'hello', image: { mediaType: 'image/png', base64: PNG } });
  });

  it.each([
    ['no text, image or payload', { playbook: 'scam-verdict' }, ''],
    ['an unknown playbook', { playbook: 'nope', text: 'x' }, 'playbook'],
    ['a wrong type', { text: 7 }, 'text'],
    ['something that is no object', 'hello', ''],
    ['a NUL byte', { text: 'a\u0000b' }, 'text'],
    [
      'E-10 evidence with a time that is none',
      { text: 'x', evidence: [{ toolName: 't', result: 1, at: 'not a date' }] },
      'evidence[0].at',
    ],
    ['half a surrogate pair', { payload: { name: ['\ud800'] } }, 'payload.name[0]'],
    [
      'an image that is not what it says',
      { image: { mediaType: 'image/jpeg', base64: PNG } },
      'image.base64',
    ],
    ['an image that is not base64', { image: { mediaType: 'image/png', base64: '§§' } }, 'image.base64'],
    ['a date that is none', { text: 'x', receivedAt: 'yesterday' }, 'receivedAt'],
  ])('names the field for %s', async (_what, body, path) => {
    expect(await problemsOf(body)).toEqual([path]);
  });

  it('refuses absurd nesting without falling over it', async () => {
    let deep: object = {};
    for (let i = 0; i < 5_000; i += 1) deep = { a: deep };
    expect(await problemsOf({ text: 'x', payload: deep })).toEqual([expect.stringMatching(/^payload\.a/)]);
  });

  it('R11 gives repeats one fingerprint, and anything else another', async () => {
    const { intake, taken } = setUp();
    for (const body of [
      { text: 'a' },
      { text: 'a', labels: { x: 'y' } },
      { text: 'b' },
      { text: 'a', collect: false },
    ]) {
      await intake.accept(body);
    }
    const [first, repeat, other, uncollected] = taken.map((request) => request.fingerprint);
    expect(repeat).toBe(first);
    expect(new Set([first, other, uncollected]).size).toBe(3);
  });

  it('turns senders away past the backlog, with the time to wait', async () => {
    const refused = setUp({ backlog: 10 }).intake.accept({ text: 'x' });
    await expect(refused).rejects.toMatchObject({
      reasonCode: 'overloaded',
      retryable: true,
      retryAfterMs: 7_000,
    });
  });

  it('holds an alert to the rules of its playbook', async () => {
    const { intake } = setUp({
      intake: { problems: () => [{ path: 'payload.x', message: 'expected a number' }] },
    });
    await expect(intake.accept({ text: 'x' })).rejects.toMatchObject({ problems: [{ path: 'payload.x' }] });
  });

  describe('of a kind that tells occurrences apart', () => {
    const at = (startedAt: string | null, resolved = false, mostRunsPerHour = 6): Over['intake'] => {
      const occurrenceOf = ({ text = '' }: AlertInput) =>
        text === 'plain' ? null : { key: 'host-1', startedAt, resolved };
      return { repeats: sameTrouble(occurrenceOf, mostRunsPerHour, sameContent(1)) };
    };
    const acceptedBy = async (over: Over, ...texts: string[]) => {
      const { intake, taken } = setUp(over);
      for (const text of texts) await intake.accept({ text });
      return taken;
    };

    it('S2-40 the key of the kind makes the case, and not the whole alert', async () => {
      const taken = await acceptedBy({ intake: at('2026-01-05T12:00:00+02:00') }, 'a', 'b', 'plain');
      const [one, other, plain] = taken;
      expect(one?.fingerprint).toBe(other?.fingerprint);
      expect(one?.occurrence).toEqual({
        startedAt: '2026-01-05T10:00:00.000Z',
        resolved: false,
        mostRunsPerHour: 6,
        closes: false,
      });
      expect(plain?.fingerprint).not.toBe(one?.fingerprint);
      expect(plain?.occurrence).toBeUndefined();
    });

    it('S2-40 the same key of another kind is another case', async () => {
      const [one] = await acceptedBy({ intake: at(null) }, 'a');
      const [other] = await acceptedBy({ intake: at(null), name: 'another' }, 'a');
      expect(other?.fingerprint).not.toBe(one?.fingerprint);
    });

    it.each(['soon', '2026-01-05T11:00:01Z', '9999-12-31T00:00:00Z'])(
      'S2-40 a start of "%s" is none: true ones that follow must not be older than it',
      async (startedAt) => {
        const [request] = await acceptedBy({ intake: at(startedAt, true, 2) }, 'a');
        expect(request?.occurrence).toMatchObject({ startedAt: null, resolved: true, mostRunsPerHour: 2 });
      },
    );
  });
});

describe('alerts that are judged to check or to measure', () => {
  const alert = { text: 'Tell us the OTP' };

  it('open a case of their own in the lane batch, with a verdict that is not delivered', async () => {
    const { intake, taken } = setUp({
      strategies: { own: {}, other: {} } as unknown as Playbook['strategies'],
    });
    await intake.accept(alert, queryAcceptOptions({ dataset: 'check' }, undefined));
    await intake.accept(
      alert,
      queryAcceptOptions({ dataset: 'set', strategy: 'other', lane: 'live' }, undefined),
    );
    const common = { lane: 'batch', fingerprint: null };
    expect(taken).toMatchObject([
      { ...common, dataset: 'check', settings: { outward: false, strategy: aRunSettings().strategy } },
      { ...common, dataset: 'set', settings: { outward: false, strategy: 'other' } },
    ]);
    const unknown = intake.accept(alert, { dataset: 'set', strategy: 'third' });
    await expect(unknown).rejects.toMatchObject({
      problems: [{ path: 'strategy', message: 'expected one of own, other' }],
    });
  });

  it('alone may choose their strategy', () => {
    expect(() => queryAcceptOptions({ strategy: 'other' }, undefined)).toThrow(
      /strategy: is only for alerts of a dataset/,
    );
    expect(queryAcceptOptions({}, undefined)).toEqual({ again: false, lane: 'live' });
  });
});
