import { generateKeyPairSync } from 'node:crypto';
import { canonicalJson, seededRandom, type CaseDocument, type DecisionFile } from '@casefile/contracts';
import { decisionText, recordHash, signDecision, signedBytes } from './decision-file.js';
import { isSigningKey, keyFingerprint, readSigningKey } from './signing-key.js';
import { verifyDecision } from './verify-decision.js';

const pem = (): string =>
  generateKeyPairSync('ed25519').privateKey.export({ format: 'pem', type: 'pkcs8' }).toString();
const key = readSigningKey(pem());
const RUN = '0192f3a0-0000-7000-8000-000000000002';

function signedFile(): DecisionFile {
  const document = {
    id: '0192f3a0-0000-7000-8000-000000000001',
    playbook: 'scam-verdict',
    verdict: { disposition: 'act', confidence: 0.92 },
    alerts: [{ id: 'a1', text: 'Ваш счёт заблокирован 🔒 "pay" at http://example.test', receivedAt: 'now' }],
    runs: [
      {
        id: RUN,
        settings: { '10': 'ten', '2': 'two', threshold: 0.5 },
        artifacts: [
          { artifact: 'evidence', round: 1, body: { items: [{ id: 'E1', text: 'x'.repeat(300) }] } },
        ],
        toolCalls: [{ id: 't1', result: { registered: null } }],
        interactions: [{ id: 'i1', request: { messages: ['judge this'] }, reasoningContent: 'because' }],
        trace: [{ id: '17', type: 'run.decided', data: {} }],
      },
    ],
  } as unknown as CaseDocument;
  const prompts = [{ id: 'scam-verdict/answer@2', sha256: 'aa', text: 'Judge it.' }];
  return signDecision({ document, review: null, prompts, version: '1.2.3' }, key, '2026-01-05T10:00:00.000Z');
}
const file = signedFile();
const text = decisionText(file);
const problemOf = (changed: string | Uint8Array, expected: string | null = null): string => {
  try {
    verifyDecision(Buffer.from(changed), expected);
    return 'accepted';
  } catch (thrown) {
    return (thrown as Error).message;
  }
};

describe('a decision file', () => {
  it('is accepted as it was written, with the key, its base64 or its fingerprint', () => {
    const { publicKey } = file.signature;
    for (const expected of [publicKey, keyFingerprint(publicKey)])
      expect(verifyDecision(Buffer.from(text), expected)).toMatchObject({ isExpectedKey: true });
    const { isExpectedKey, fingerprint } = verifyDecision(Buffer.from(text), null);
    expect([isExpectedKey, fingerprint]).toEqual([false, keyFingerprint(publicKey)]);
  });

  it('has one record per part of the case, each with its hash', () => {
    expect(file.records.map(({ id }) => id)).toEqual([
      'case',
      'alerts/a1',
      `runs/${RUN}`,
      `runs/${RUN}/artifacts/1-evidence`,
      `runs/${RUN}/tool-calls/t1`,
      `runs/${RUN}/interactions/i1`,
      `runs/${RUN}/events/17`,
      'prompts/scam-verdict/answer@2',
    ]);
    for (const { sha256, body } of file.records) expect(recordHash(body)).toBe(sha256);
  });

  it('is refused after each of 1,000 random changes of its bytes', () => {
    const random = seededRandom(7);
    const bytes = Buffer.from(text);
    const below = (n: number) => Math.floor(random() * n);
    for (let i = 0; i < 1_000; i += 1) {
      const at = below(bytes.length);
      const changed = [
        () => Buffer.concat([bytes.subarray(0, at), bytes.subarray(at + 1)]),
        () => Buffer.concat([bytes.subarray(0, at), Buffer.from([below(256)]), bytes.subarray(at)]),
        () => {
          const copy = Buffer.from(bytes);
          copy[at] = copy[at]! ^ (1 << below(8));
          return copy;
        },
      ][i % 3]!();
      const outcome = changed.equals(bytes) ? 'the same' : problemOf(changed);
      expect(outcome).toMatch(/^this file was changed: /);
    }
  });

  it('names the record whose content was changed', () => {
    expect(problemOf(text.replace('"because"', '"because I say so"'))).toContain(
      `the record "runs/${RUN}/interactions/i1" does not have its hash`,
    );
  });

  it.each<[string, (changed: DecisionFile) => void]>([
    ['removed', ({ records }) => void records.splice(3, 1)],
    ['swapped', ({ records }) => void records.reverse()],
    ['repeated', ({ records }) => void records.push(records[0]!)],
    [
      'given a new content and its hash',
      ({ records }) => {
        records[0]!.body = { disposition: 'dismiss' };
        records[0]!.sha256 = recordHash(records[0]!.body);
      },
    ],
  ])('is refused when a record was %s', (_, change) => {
    const changed = structuredClone(file);
    change(changed);
    expect(problemOf(decisionText(changed))).toContain('the signature does not fit');
  });

  it('is refused in another form of the same values, and with a signature of another key', () => {
    expect(problemOf(JSON.stringify(file))).toContain('not written as Casefile writes it');
    expect(problemOf(text.replace('"format"', '"case\\u0049d": "other",\n "format"'))).toMatch(/changed/);
    const other = readSigningKey(pem());
    const { signature: _, ...unsigned } = file;
    expect(signedBytes(unsigned).toString()).toBe(
      canonicalJson({ ...unsigned, records: file.records.map(({ id, sha256 }) => ({ id, sha256 })) }),
    );
    const document = { ...({ id: file.caseId, alerts: [], runs: [] } as unknown as CaseDocument) };
    const forged = signDecision({ document, review: null, prompts: [], version: '1.2.3' }, other, 'now');
    expect(problemOf(decisionText(forged), file.signature.publicKey)).toContain('signed with another key');
  });

  it('is refused when it is nested more deeply than any record', () => {
    const deep = `${'['.repeat(200_000)}${']'.repeat(200_000)}`;
    expect(problemOf(text.replace('"because"', deep))).toMatch(/changed/);
  });

  it('is signed with an Ed25519 key alone, on several lines or on one', () => {
    const text = pem();
    expect([text, text.replaceAll('\n', '\\n')].map(isSigningKey)).toEqual([true, true]);
    const rsa = generateKeyPairSync('rsa', { modulusLength: 2048 }).privateKey;
    expect([rsa.export({ format: 'pem', type: 'pkcs8' }).toString(), 'secret', ''].map(isSigningKey)).toEqual(
      [false, false, false],
    );
  });
});
