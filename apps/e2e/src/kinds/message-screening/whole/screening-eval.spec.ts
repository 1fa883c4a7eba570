import { writeFileSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { temporaryFolder } from '@casefile/contracts/testing';
import { startSimulator, type Simulator } from '@casefile/llm-simulator/simulator';
import { testDatabase, type TestDatabase } from '@casefile/store/testing';
import { rowsIn, runCasefile } from '../../../testing/run-casefile.js';

const SCAM = 'URGENT: your account is suspended, verify your details and send the OTP immediately';
const LINES = [
  { id: 'a', text: SCAM, language: 'en', isScam: true, category: 'kyc_banking' },
  {
    id: 'b',
    text: 'See you at the station at five, I bring the cake',
    language: 'en',
    isScam: false,
    category: null,
  },
  { id: 'c', text: 'Wir sehen uns am Samstag bei der Probe', language: 'de', isScam: false, category: null },
];
const PATTERN = {
  id: 'kyc',
  title: 'Account blocked',
  category: 'kyc_banking',
  scamType: 'credential_theft',
  texts: { en: SCAM },
  redFlags: ['haste'],
};

describe('casefile import scam-patterns and casefile eval', () => {
  let simulator: Simulator;
  let database: TestDatabase;
  let dir: string;
  const savedEnv = { ...process.env };
  beforeAll(async () => {
    simulator = await startSimulator();
    database = await testDatabase();
    dir = temporaryFolder('eval');
    const url = `${simulator.origin}/v1`;
    Object.assign(process.env, {
      DATABASE_URL: database.url,
      QUEUE_URL: database.url,
      CASEFILE_DATA: dir,
      LOG_LEVEL: 'error',
      LLM_PROVIDER: 'simulator',
      LLM_BASE_URL: url,
      EMBEDDINGS_URL: url,
      EMBEDDINGS_MODEL: 'simulated',
    });
    writeFileSync(join(dir, 'set.jsonl'), LINES.map((line) => JSON.stringify(line)).join('\n'));
    writeFileSync(join(dir, 'patterns.json'), JSON.stringify([PATTERN]));
    writeFileSync(
      join(dir, 'wrong.json'),
      JSON.stringify([
        { ...PATTERN, id: 'new' },
        { ...PATTERN, title: '' },
      ]),
    );
  });
  afterAll(async () => {
    process.env = savedEnv;
    await simulator.close();
    await database.drop();
  });

  const rows = (query: string) => rowsIn(database.url, query);
  const evaluate = (...more: string[]) =>
    runCasefile(
      'eval',
      '--playbook',
      'message-screening',
      '--direct',
      '--dataset',
      join(dir, 'set.jsonl'),
      '--results',
      join(dir, 'r.jsonl'),
      '--json',
      ...more,
    );

  it('says that there are no patterns to compare with, and how to get some', async () => {
    const { code, errors } = await evaluate('--limit', '1', '--results', join(dir, 'none.jsonl'));
    expect([code, errors.join()]).toEqual([0, expect.stringContaining('casefile import scam-patterns')]);
    await rows('delete from cases');
  });

  it('S3-12 an import with a wrong line takes nothing and names it', async () => {
    const { code, errors } = await runCasefile(
      'import',
      'scam-patterns',
      '--direct',
      join(dir, 'wrong.json'),
    );
    expect(code).toBe(1);
    expect(errors.join('\n')).toContain('[1]: title');
    expect(await rows('select * from scam_patterns')).toEqual([]);
  });

  it.each<[string, string | Buffer, RegExp]>([
    ['missing fields', JSON.stringify([PATTERN, { id: 'bare' }]), /\[1\]: title[^]*\[1\]: category/],
    ['an id twice', JSON.stringify([PATTERN, PATTERN]), /\[1\]: id: is the id of \[0\] as well/],
    ['Latin-1', Buffer.from('id,title\ncaf\u00e9,x\n', 'latin1'), /is not UTF-8 text/],
    ['UTF-16', Buffer.from(`\ufeff${JSON.stringify([PATTERN])}`, 'utf16le'), /is not UTF-8 text/],
    ['broken JSON', '[{"id": "a",', /not JSON/],
    ['a CSV line that is short', 'id,title\na\n', /line 2: expected 2 fields/],
  ])('S3-12 an import of %s says so and takes nothing', async (what, content, message) => {
    const path = join(dir, `${what}.txt`);
    writeFileSync(path, content);
    const { code, errors } = await runCasefile('import', 'scam-patterns', '--direct', path);
    expect([code, errors.join('\n')]).toEqual([1, expect.stringMatching(message)]);
    expect(await rows('select * from scam_patterns')).toEqual([]);
  });

  it('S3-12 an import needs a file, or a case that is there and what is confirmed of it', async () => {
    expect((await runCasefile('import', 'scam-patterns', '--direct')).errors.join()).toContain('file');
    expect((await runCasefile('import', 'scam-patterns', '--direct', '--case', 'x')).errors.join()).toContain(
      '--scam-type',
    );
    const unknown = await runCasefile(
      'import',
      'scam-patterns',
      '--direct',
      '--case',
      'x',
      '--scam-type',
      's',
    );
    expect([unknown.code, unknown.errors.join()]).toEqual([
      1,
      expect.stringContaining('no case has the id x'),
    ]);
  });

  it('S3-12 patterns go in although the embeddings server is down, and get their vectors the next time', async () => {
    simulator.setScript({ embeddings: { replies: [{ kind: 'status', status: 500 }] } });
    const first = await runCasefile(
      'import',
      'scam-patterns',
      '--direct',
      join(dir, 'patterns.json'),
      '--json',
    );
    expect(first.code).toBe(1);
    expect(JSON.parse(first.lines[0]!)).toMatchObject({
      inserted: 1,
      embedded: 0,
      embeddingFailure: 'server_error',
    });
    const again = await runCasefile('import', 'scam-patterns', '--direct', join(dir, 'patterns.json'));
    expect([again.code, again.lines]).toEqual([0, [expect.stringContaining('1 unchanged')]]);
    expect(await rows('select pattern_id, dimension, model from pattern_vectors')).toEqual([
      { pattern_id: 'kyc', dimension: 256, model: expect.stringContaining('simulated') },
    ]);
  });

  it('S3-12 makes all vectors anew when asked to', async () => {
    const path = join(dir, 'patterns.json');
    const importPatterns = async (...more: string[]) =>
      JSON.parse(
        (await runCasefile('import', 'scam-patterns', '--direct', path, '--json', ...more)).lines[0]!,
      ) as object;
    expect(await importPatterns()).toMatchObject({ unchanged: 1, embedded: 0 });
    expect(await importPatterns('--embed-again')).toMatchObject({ unchanged: 1, embedded: 1 });
  });

  it('judges labelled messages on the record, apart and with no effect, and continues where it was', async () => {
    const { code, lines, errors } = await evaluate();
    expect([code, errors]).toEqual([0, [expect.stringContaining('judging in this process')]]);
    expect(JSON.parse(lines[0]!)).toMatchObject({
      messages: 3,
      degraded: 0,
      unfinished: 0,
      // The rules do not read German, so a second question is asked, which the simulator does not support.
      cost: { calls: 4 },
      confusion: { scam: { ignore: 0 }, harmless: { ignore: 1, probe: 1 } },
      retrieval: { en: { labels: 1, at1: 1 } },
      routing: { labels: 3, right: 3 },
    });
    const kept = await rows(
      'select c.dataset, r.lane, r.status, count(*)::int as n from cases c join runs r on r.case_id = c.id group by 1, 2, 3',
    );
    expect(kept).toEqual([{ dataset: 'set.jsonl', lane: 'batch', status: 'decided', n: 3 }]);
    expect(
      await rows('select id::text from engagement_sessions union all select id from deliveries'),
    ).toEqual([]);
    const asked = simulator.calls().byKind;
    expect(JSON.parse((await evaluate()).lines[0]!)).toMatchObject({ messages: 3 });
    expect(simulator.calls().byKind).toEqual(asked);
    expect(readFileSync(join(dir, 'r.jsonl'), 'utf8').trim().split(/\n+/)).toHaveLength(3);
  });

  it('S3-14 --look-ups prints how often the kind is found and what levels mean, totals alone', async () => {
    const patterns = join(dir, 'patterns.json');
    writeFileSync(join(dir, 'unseen.jsonl'), LINES.map((line) => JSON.stringify(line)).join('\n'));
    const shown = [
      'eval',
      '--playbook',
      'message-screening',
      '--look-ups',
      '--patterns',
      patterns,
      '--dataset',
      join(dir, 'unseen.jsonl'),
    ];
    const { code, lines } = await runCasefile(...shown);
    expect([code, lines[0]]).toEqual([
      0,
      expect.stringMatching(/^2 of 3 messages looked up; known patterns: 1/),
    ]);
    expect(lines.join('\n')).toMatch(/^en +vectors +1\.00 \(1 of 1; 0\.21 to 1\.00\)/m);
    expect(lines.join('\n')).not.toMatch(/URGENT|station/);
    const found = JSON.parse((await runCasefile(...shown, '--json')).lines[0]!) as object;
    expect(found).toMatchObject({
      byLanguage: [{ language: 'en', scams: 1, levels: { HIGH: { ofThatKind: { part: 1, of: 1 } } } }],
    });
    const alone = await runCasefile(
      'eval',
      '--playbook',
      'message-screening',
      '--patterns',
      patterns,
      '--dataset',
      join(dir, 'set.jsonl'),
    );
    expect([alone.code, alone.errors.join()]).toEqual([1, expect.stringContaining('--look-ups')]);
  });

  it('S3-43 figures of the table that are not valid are refused before anything starts, by their names', async () => {
    writeFileSync(
      join(dir, 'own.yaml'),
      'playbooks: { message-screening: { strictProbeFrom: 70, matchs: 3 } }',
    );
    process.env['CASEFILE_CONFIG'] = join(dir, 'own.yaml');
    const { code, errors } = await evaluate('--results', join(dir, 'other.jsonl'));
    delete process.env['CASEFILE_CONFIG'];
    expect([code, errors.join()]).toEqual([1, expect.stringMatching(/strictProbeFrom[^]*matchs/)]);
  });

  it('S3-41 a tool that fails once is asked again, and the message is judged', async () => {
    writeFileSync(join(dir, 'one.jsonl'), JSON.stringify(LINES[0]));
    simulator.setScript({ embeddings: { replies: [{ kind: 'status', status: 503 }] } });
    const { lines } = await runCasefile(
      ...[
        'eval',
        '--playbook',
        'message-screening',
        '--direct',
        '--dataset',
        join(dir, 'one.jsonl'),
        '--results',
        join(dir, 'one-results.jsonl'),
        '--json',
      ],
    );
    expect(JSON.parse(lines[0]!)).toMatchObject({ messages: 1, degraded: 0, unfinished: 0 });
  });

  it('S3-41 another strategy is another evaluation; an unknown one is named', async () => {
    const { lines } = await evaluate('--strategy', 'rules');
    expect(JSON.parse(lines[0]!)).toMatchObject({
      // S3-44: rules that were chosen are no failure.
      degraded: 0,
      cost: { calls: 0 },
      calibration: { labels: 3 },
    });
    const wrong = await evaluate('--strategy', 'guess');
    expect([wrong.code, wrong.errors.join()]).toEqual([1, expect.stringContaining('grounded')]);
    expect((await evaluate('--playbook', 'nothing')).code).toBe(1);
  });
});
