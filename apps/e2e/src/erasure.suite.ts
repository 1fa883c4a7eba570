import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { crc32 } from 'node:zlib';
import { generateKeyPairSync } from 'node:crypto';
import { run } from '@casefile/cli/program';
import { memoryTerminal } from '@casefile/cli/testing/memory-terminal';
import type { ReviewList, ShownErasureDetail } from '@casefile/contracts';
import { temporaryFolder, until } from '@casefile/contracts/testing';
import { supportingExaminer } from '@casefile/kit/testing/supporting-examiner';
import { questionText } from '@casefile/kit/demonstration/question';
import { asksForExamination } from '@casefile/llm-simulator/cross-examination';
import { dumpRedis, dumpTables, linesWith } from './testing/dump-stores.js';
import type { StartSystem, SystemUnderTest } from './testing/launched-services.js';
import { PATIENT } from './testing/patient-settings.js';
import { testRedis } from './testing/redis-database.js';
import { ended } from './testing/world.js';

/** A word of each kind of content. No text of the product contains one. */
const WORDS = {
  text: 'kanarie7text',
  image: 'kanarie7image',
  label: 'kanarie7label',
  conversation: 'kanarie7conversation',
  evidence: 'kanarie7evidence',
  answer: 'kanarie7answer',
  reasoning: 'kanarie7reasoning',
  note: 'kanarie7note',
};
const SCREENSHOT = readFileSync(new URL('../../../samples/screenshot-bank.png', import.meta.url));

/** Returns a PNG with a comment in a chunk of its own before the last chunk, which has 12 bytes. */
function pngWith(png: Buffer, comment: string): Buffer {
  const data = Buffer.from(`tEXtComment\0${comment}`);
  const [length, sum] = [Buffer.alloc(4), Buffer.alloc(4)];
  length.writeUInt32BE(data.length - 4);
  sum.writeUInt32BE(crc32(data));
  return Buffer.concat([png.subarray(0, -12), length, data, sum, png.subarray(-12)]);
}

const { privateKey } = generateKeyPairSync('ed25519');

/**
 * Tests that the content of a case disappears everywhere.
 * @param redis Name of the Redis of the queue; null: the queue is in Postgres.
 * @param count Number of cases of the second erasure, in which processes are killed if they can be.
 */
export function erases(
  start: StartSystem,
  redis: Parameters<typeof testRedis>[0] | null,
  count: number,
): void {
  let world: SystemUnderTest;
  let [planted, many]: [string, string[]] = ['', []];
  const keys: Record<string, string> = {};
  const folder = temporaryFolder('erasure');

  const api = async (path: string, body?: object, as = 'admin') => {
    const response = await fetch(`${world.service('console').url}/api/v1${path}`, {
      method: body === undefined ? 'GET' : 'POST',
      headers: { 'content-type': 'application/json', ...authorized(as) },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    return { status: response.status, body: (await response.json()) as unknown };
  };
  const authorized = (as: string): Record<string, string> =>
    keys[as] === undefined ? {} : { authorization: `Bearer ${keys[as]}` };
  const casefile = async (...args: string[]) => {
    const terminal = memoryTerminal();
    process.env['CASEFILE_KEY'] = keys['admin'];
    const code = await run([...args, '--console', world.service('console').url], terminal);
    delete process.env['CASEFILE_KEY'];
    return { code, text: [...terminal.lines, ...terminal.errors].join('\n') };
  };
  const dump = async () => [
    ...(await dumpTables(world.databaseUrl)),
    ...(redis === null ? [] : await dumpRedis(world.queueUrl)),
  ];
  const erased = async (id: string) => (await api(`/erasures/${id}`)).body as ShownErasureDetail;

  beforeAll(async () => {
    world = await start({
      settings: PATIENT,
      ...(redis === null ? { queueIsStored: true } : { queueUrl: testRedis(redis) }),
      answer: (question) => {
        const isPlanted = JSON.stringify(question).includes(WORDS.text);
        const sentence = (word: string) => `It asks for a fee.${isPlanted ? ` ${word}` : ''}`;
        const explanation = sentence(WORDS.answer);
        if (asksForExamination(question)) {
          const isFalse = (claim: string) => claim !== `The message is part of a scam: ${explanation}`;
          return { kind: 'answer', content: supportingExaminer(questionText(question, 'user'), isFalse) };
        }
        const content = { riskLevel: 'high', confidence: 95, explanation, evidenceUsed: [] };
        return { kind: 'answer', content: JSON.stringify(content), reasoning: sentence(WORDS.reasoning) };
      },
      env: () => ({
        CASEFILE_SIGNING_KEY: privateKey.export({ format: 'pem', type: 'pkcs8' }).toString(),
        CASEFILE_FINGERPRINT_KEY: 'a key of at least thirty-two characters',
      }),
    });
    planted = await world.alert({
      playbook: 'scam-verdict',
      text: `Your parcel is held. Pay the fee at https://parcel.example/pay ${WORDS.text}`,
      image: { mediaType: 'image/png', base64: pngWith(SCREENSHOT, WORDS.image).toString('base64') },
      labels: { team: WORDS.label },
      conversation: WORDS.conversation,
      evidence: [
        {
          toolName: 'scam_db',
          entityType: 'phone',
          entityValue: '+15550100',
          result: { found: true, title: 'A report', comment: WORDS.evidence },
        },
      ],
      collect: false,
    });
    many = [];
    for (let i = 0; i < count; i += 1)
      many.push(
        await world.alert({
          playbook: 'scam-verdict',
          text: `Parcel ${i} waits: pay at http://parcel-fee.top/${i} today`,
          collect: false,
        }),
      );
    for (const caseId of [planted, ...many]) await ended(world, caseId);
    await api(`/reviews/${planted}/comment`, { by: 'bob', note: `first ${WORDS.note}` });
    await until('no review is open', async () => {
      const { reviews } = (await api('/reviews?limit=200')).body as ReviewList;
      for (const { caseId } of reviews)
        await api(`/reviews/${caseId}/answer`, { by: 'bob', outcome: { riskLevel: 'high' } });
      return reviews.length === 0;
    });
    await api(`/cases/${planted}/feedback`, { by: 'bob', agree: true, note: WORDS.note });
    // From here on, requests need a key.
    for (const role of ['admin', 'operator']) {
      const { body } = await api('/keys', { name: `ann-${role}`, role, by: 'ann', reason: 'a test' });
      keys[role] = (body as { key: string }).key;
    }
    await until('the console has noticed the first key', async () => {
      const { status } = await api('/cases?limit=1', undefined, 'nobody');
      return status === 401;
    });
    await until('the answers are on the audit log', async () =>
      (await casefile('audit', 'list', '--case', planted)).text.includes('bob'),
    );
  }, 600_000);
  afterAll(() => world.close());

  it('the content is there before, a dry run changes nothing, and only an admin may erase', async () => {
    const before = await dump();
    for (const word of Object.values(WORDS)) expect([word, linesWith(before, word)]).not.toEqual([word, []]);
    const dry = await casefile('erase', '--case', planted, '--dry-run', '--reason', 'request 4711');
    expect([dry.code, dry.text]).toEqual([
      0,
      expect.stringMatching(/^1 cases, 0 of them with open work\. Nothing was erased\./),
    ]);
    expect(dry.text).toMatch(/alerts\.text: 1 rows/);
    expect(dry.text).toMatch(/alerts\.image: 1 rows/);
    expect(dry.text).toMatch(/llm_interactions\.request: \d+ rows/);
    const refused = await api('/erasures', { caseIds: [planted], by: 'bob', reason: 'no' }, 'operator');
    expect(refused.status).toBe(403);
    expect(linesWith(await dump(), WORDS.text)).not.toEqual([]);
  }, 300_000);

  it('afterwards no table, no queue, no answer and no file has it', async () => {
    const answer = await api('/erasures', { caseIds: [planted], by: 'someone else', reason: 'request 4711' });
    const { id } = answer.body as { id: string | null };
    expect([answer.status, id]).toEqual([202, expect.any(String)]);
    await until('the case is erased', async () => (await erased(id ?? '')).erased === 1);
    await until('the erasure is on the audit log', async () =>
      (await casefile('audit', 'list', '--act', 'case.erased')).text.includes(planted),
    );
    const after = await dump();
    const out = (name: string) => join(folder, `${name}-${redis}`);
    const shown = await casefile('show', planted, '--json');
    await casefile('export', 'iterations', '--filter', 'playbook=scam-verdict', '--out', out('iterations'));
    await casefile('export', 'decision', planted, '--out', out('decision'));
    await casefile('audit', 'export', '--out', out('audit'));
    const files = ['iterations', 'decision', 'audit'].map((name) => readFileSync(out(name), 'utf8'));
    expect(shown.text).toContain(planted);
    expect(files[1]).toContain(planted);
    expect(files[2]).toContain('case.erased');
    const { body } = await api(`/cases/${planted}`);
    const all = [...after, shown.text, JSON.stringify(body), ...files];
    const found = Object.values(WORDS).flatMap((word) => linesWith(all, word));
    expect(found.map((line) => line.slice(0, 200))).toEqual([]);
  }, 300_000);

  it('the case says who erased what, when and why; a replay is refused; the audit log verifies', async () => {
    const day = new Date().toISOString().slice(0, 8);
    const { text } = await casefile('show', planted);
    expect(text).toMatch(
      new RegExp(
        `Erased on ${day}\\d\\d by ann-admin \\(request 4711\\): message, evidence, prompts, images`,
      ),
    );
    const { body } = await api(`/cases/${planted}`);
    expect(body).toMatchObject({ erasures: [{ by: 'ann-admin', reason: 'request 4711' }] });
    const replayed = await casefile('replay', planted);
    expect(replayed.code).not.toBe(0);
    expect(replayed.text).toMatch(/its content was erased on .*, so there is nothing to replay/);
    await until('the erasure is on the audit log', async () =>
      (await casefile('audit', 'list', '--case', planted)).text.includes('case.erased'),
    );
    const verified = await casefile('audit', 'verify');
    expect([verified.code, verified.text]).toEqual([0, expect.stringContaining(' 0 problems')]);
  }, 300_000);

  it('R1 many cases are erased once each, also if the leader is killed meanwhile', async () => {
    const answer = await api('/erasures', { caseIds: many, by: 'ann', reason: 'request 4712' });
    const { id } = answer.body as { id: string | null };
    if (world.crash !== null) {
      const left = () =>
        world.store.database.rows<{ n: number }>(
          `select count(*)::int as n from erasure_members where request_id = $1 and state <> 'erased'`,
          [id],
        );
      await until('some cases are erased', async () => ((await left())[0]?.n ?? count) < count, 1);
      await world.crash();
      const [atKill] = await left();
      expect(atKill?.n).toBeGreaterThan(0);
    }
    await until('all cases are erased', async () => (await erased(id ?? '')).erased === count);
    const [counted] = await world.store.database.rows<{ cases: number; erasures: number }>(
      `select count(distinct case_id)::int as cases, count(*)::int as erasures from case_erasures
       where case_id = any($1::uuid[])`,
      [many],
    );
    expect(counted).toEqual({ cases: count, erasures: count });
    const after = await dump();
    for (const word of [...Object.values(WORDS), 'parcel-fee.top'])
      expect(linesWith(after, word).map((line) => line.slice(0, 200))).toEqual([]);
    const verified = await casefile('audit', 'verify');
    expect([verified.code, verified.text]).toEqual([0, expect.stringContaining(' 0 problems')]);
  }, 300_000);
}
