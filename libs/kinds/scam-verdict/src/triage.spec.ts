import fc from 'fast-check';
import { alertSchema, briefSchema, CasefileError, type Brief, type TextRead } from '@casefile/contracts';
import { evidenceLine } from '@casefile/pipeline/scam/tool-readings';
import { scamVerdict } from './playbook.js';
import { fakePorts } from '@casefile/pipeline/testing/fake-ports';
import { triage } from '@casefile/pipeline/stages';

/** No schema keeps a key of this name. */
const isKept = (name: string) => name !== '__proto__';
/** Names that every object answers to without having them. */
const MEMBERS = Object.getOwnPropertyNames(Object.prototype).filter(isKept);

async function briefOf(entities: Record<string, string[]>): Promise<Brief> {
  const alert = {
    id: 'a',
    playbook: 'scam-verdict',
    text: 'call me',
    receivedAt: '2026-01-05T10:00:00Z',
    entities,
  };
  const ports = fakePorts({ playbook: scamVerdict });
  const outcome = await triage.run({ alert, artifacts: {}, previous: {}, units: [] }, ports);
  if (outcome.kind !== 'done') throw new Error(`no brief: ${outcome.kind}`);
  return briefSchema.parse(outcome.artifact);
}

describe('triage', () => {
  it('E-05 takes entity types that are named like members of Object, and keeps their values', async () => {
    const types = fc.oneof(fc.constantFrom(...MEMBERS), fc.stringMatching(/^[a-z_]{1,12}$/).filter(isKept));
    const values = fc.array(fc.stringMatching(/^[a-z0-9]{1,9}$/), { minLength: 1, maxLength: 3 });
    await fc.assert(
      fc.asyncProperty(fc.dictionary(types, values, { maxKeys: 5 }), async (entities) => {
        const brief = await briefOf(entities);
        for (const [type, given] of Object.entries(entities))
          expect(brief.entities[type]).toEqual([...new Set(given)]);
      }),
      { numRuns: 60 },
    );
    for (const name of MEMBERS) expect((await briefOf({ [name]: ['b'] })).entities[name]).toEqual(['b']);
  });
});

describe('S1-01 an image', () => {
  const image = { mediaType: 'image/png' as const, base64: 'AA==' };
  const reading = {
    text: 'Verify now: http://a.example/login',
    confidence: 44,
    unread: ['The text of the image could not be read well: confidence 44 of 100.'],
    notes: ['The text was read from an image, with confidence 44 of 100.'],
  };
  const read = async (text: string | undefined, result: () => Promise<TextRead>) => {
    const alert = {
      id: 'a',
      playbook: 'scam-verdict',
      receivedAt: '2026-01-05T10:00:00Z',
      image,
      ...(text === undefined ? {} : { text }),
    };
    const reader = { read: result, close: async () => undefined };
    const ports = { ...fakePorts({ playbook: scamVerdict }), reader };
    const outcome = await triage.run({ alert, artifacts: {}, previous: {}, units: [] }, ports);
    if (outcome.kind !== 'done') throw new Error(`no brief: ${outcome.kind}`);
    return briefSchema.parse(outcome.artifact);
  };
  const asRead = async () => ({ text: reading.text, confidence: 44, reading });

  it('is read next to a text, and both are searched', async () => {
    const brief = await read('Is this real? Call +44 7700 900123', asRead);
    expect(brief.text).toBe(`Is this real? Call +44 7700 900123\n\n${reading.text}`);
    expect(brief.entities).toMatchObject({ url: ['http://a.example/login'], phone: ['+447700900123'] });
    expect(brief.image).toEqual(reading);
    expect(brief.notes).toEqual(expect.arrayContaining([...reading.unread, ...reading.notes]));
  });

  it('alone is the text of the brief, with its confidence', async () => {
    expect(await read(undefined, asRead)).toMatchObject({
      text: reading.text,
      textSource: 'ocr',
      ocrConfidence: 44,
      image: reading,
    });
  });

  it('that cannot be opened is noted next to a text', async () => {
    const broken = () => Promise.reject(new CasefileError('unreadable_image', 'cut short'));
    const brief = await read('Is this real?', broken);
    expect(brief.text).toBe('Is this real?');
    expect(brief.image?.unread).toEqual(['The image could not be read: cut short']);
  });

  it('makes the brief that was recorded, where a run recorded no reading of it', async () => {
    expect(await read('Is this real?', async () => ({ text: '', confidence: 0 }))).not.toHaveProperty(
      'image',
    );
    const old = await read(undefined, async () => ({ text: 'Hello', confidence: 20 }));
    expect(old).toMatchObject({ text: 'Hello', textSource: 'ocr', ocrConfidence: 20, notes: [] });
    expect(old).not.toHaveProperty('image');
  });
});

describe('S2-48 secrets that only triage can read', () => {
  const SECRET = 'hunter22x';
  const briefWith = async (alert: object, reader: TextRead) => {
    const ports = {
      ...fakePorts({ playbook: scamVerdict }),
      reader: { read: async () => reader, close: async () => undefined },
      withoutSecrets: async (text: string) => text.replaceAll(SECRET, '[masked]'),
    };
    const whole = { id: 'a', playbook: 'scam-verdict', receivedAt: '2026-01-05T10:00:00Z', ...alert };
    const input = { alert: alertSchema.parse(whole), artifacts: {}, previous: {}, units: [] };
    const outcome = await triage.run(input, ports);
    if (outcome.kind !== 'done') throw new Error(`no brief: ${outcome.kind}`);
    return briefSchema.parse(outcome.artifact);
  };
  const body = `Your account is blocked. DB_PASSWORD=${SECRET} is the password.`;
  const reading = { text: body, confidence: 90, unread: [], notes: [] };
  const head = 'From: ann@shop.example\nTo: bob@shop.example\nSubject: Hello\nMIME-Version: 1.0\n';
  const encoded = `${head}Content-Type: text/plain; charset=utf-8\nContent-Transfer-Encoding: base64\n\n${btoa(body)}\n`;

  it.each([
    ['an encoded part of a mail', { text: encoded }],
    ['an image', { image: { mediaType: 'image/png', base64: 'AA==' } }],
    ['an image next to a text', { text: 'Real?', image: { mediaType: 'image/png', base64: 'AA==' } }],
  ])('are masked in the text of %s', async (_what, alert) => {
    const brief = await briefWith(alert, { text: body, confidence: 90, reading });
    expect(brief.text).toContain('DB_PASSWORD=[masked] is the password');
    expect(JSON.stringify(brief)).not.toContain(SECRET);
  });
});

describe('evidence that upstream hands in', () => {
  it('E-10 is marked as given, and its source never reads like a look-up of ours', async () => {
    const given = [
      { toolName: 'scam_db', source: 'table scam_reports', result: { found: false } },
      { toolName: 'own_tool', result: 1, given: false },
    ];
    const alert = alertSchema.parse({
      id: 'a',
      playbook: 'scam-verdict',
      text: 'call me',
      receivedAt: '2026-01-05T10:00:00Z',
      evidence: given,
    });
    const ports = fakePorts({ playbook: scamVerdict });
    const outcome = await triage.run({ alert, artifacts: {}, previous: {}, units: [] }, ports);
    if (outcome.kind !== 'done') throw new Error(`no brief: ${outcome.kind}`);
    const items = briefSchema.parse(outcome.artifact).given;
    expect(items.map(({ id, given: isGiven, source }) => [id, isGiven, source])).toEqual([
      ['E1', true, 'upstream: table scam_reports'],
      ['E2', true, 'upstream'],
    ]);
    expect(evidenceLine(items[0]!, alert.receivedAt)).toMatch(/^\[E1\] scam_db .*handed in by the sender/);
  });
});

describe('S1-01 images that are attached to a mail', () => {
  const png = Buffer.concat([Buffer.from('\x89PNG\r\n\x1a\n', 'latin1'), Buffer.alloc(5_000)]).toString(
    'base64',
  );
  const part = (name: string) =>
    `--b\r\nContent-Type: image/png; name=${name}\r\nContent-Transfer-Encoding: base64\r\n\r\n${png}\r\n`;
  const text = `From: a@mail.example\r\nMIME-Version: 1.0\r\nContent-Type: multipart/mixed; boundary=b\r\n\r\n--b\r\n\r\nSee the picture.\r\n${part('a.png')}${part('b.png')}--b--`;
  const readingOf = (said: string, unread: string[] = []) => ({
    text: said,
    confidence: 90,
    reading: { text: said, confidence: 90, unread, notes: [`Read: ${said}`] },
  });
  const triaged = async (reads: TextRead[]) => {
    let calls = 0;
    const reader = {
      read: async () => reads[Math.min(calls++, reads.length - 1)]!,
      close: async () => undefined,
    };
    const ports = fakePorts({ playbook: scamVerdict });
    const alert = { id: 'a', playbook: 'scam-verdict', receivedAt: '2026-01-05T10:00:00Z', text };
    const outcome = await triage.run({ alert, artifacts: {}, previous: {}, units: [] }, { ...ports, reader });
    if (outcome.kind !== 'done') throw new Error(`no brief: ${outcome.kind}`);
    return { brief: briefSchema.parse(outcome.artifact), calls };
  };

  it('are read as the text of the mail is', async () => {
    const { brief } = await triaged([
      readingOf('Pay at http://a.example/x today.'),
      readingOf('Or lose your account.', ['Part is missing.']),
    ]);
    expect(brief.text).toBe(
      'From: a@mail.example\n\nSee the picture.\n\nPay at http://a.example/x today.\n\nOr lose your account.',
    );
    expect(brief.entities['url']).toEqual(['http://a.example/x']);
    expect(brief.image).toMatchObject({ confidence: 90, unread: ['Part is missing.'] });
  });

  it('give the same brief in a replay, which has their joined reading', async () => {
    const first = await triaged([readingOf('Pay now'), readingOf('or later')]);
    const { image } = first.brief;
    const recorded = { text: image!.text, confidence: 0, reading: image! };
    expect((await triaged([recorded])).brief).toEqual(first.brief);
  });
});
