import { copyFileSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { temporaryFolder } from '@casefile/contracts/testing';
import { run } from '@casefile/cli/program';
import { memoryTerminal } from '@casefile/cli/testing/memory-terminal';
import { searchPolicyTree } from '@casefile/evidence';
import { openKnowledge, type PolicyBase } from '@casefile/knowledge';
import { silentPorts } from '@casefile/knowledge/testing';
import { verifyCitation } from '@casefile/policy-check/citations/verify-citations';
import { createPostgresStore, type PostgresStore } from '@casefile/store';
import { testDatabase, type TestDatabase } from '@casefile/store/testing';
import { debianPolicy } from '../testing/debian-policy.js';

const SAMPLE = new URL('../../../../samples/policies/claims-handling.md', import.meta.url);
const signal = new AbortController().signal;

describe('casefile import policy', () => {
  let database: TestDatabase;
  let store: PostgresStore;
  let base: PolicyBase;
  let folder: string;
  const savedEnv = { ...process.env };
  beforeAll(async () => {
    database = await testDatabase();
    folder = temporaryFolder('policies');
    Object.assign(process.env, {
      DATABASE_URL: database.url,
      QUEUE_URL: database.url,
      CASEFILE_DATA: folder,
      LOG_LEVEL: 'error',
    });
    store = createPostgresStore({ databaseUrl: database.url, poolSize: 3 });
    base = openKnowledge(store.database, silentPorts()).policies;
    debianPolicy(folder);
  });
  afterAll(async () => {
    process.env = savedEnv;
    await store.close();
    await database.drop();
  });

  async function casefile(...args: string[]) {
    const terminal = memoryTerminal();
    const { lines, errors } = terminal;
    const code = await run(args, terminal);
    return {
      code,
      lines,
      errors,
      json: () => lines.map((line) => JSON.parse(line) as Record<string, unknown>),
    };
  }
  const titles = async (policyId: string, query: string, limit = 3): Promise<string[]> => {
    const policy = await base.policyVersion(policyId);
    if (policy === null) throw new Error(`no policy ${policyId}`);
    const { sections } = await searchPolicyTree(base, { policy, query, limit }, signal);
    return sections.map(({ title }) => title);
  };

  it('S4-14 takes a folder of a real policy in three formats, and continues where it was', async () => {
    const first = await casefile('import', 'policy', '--direct', folder, '--id', 'x');
    expect([first.code, first.errors.join()]).toEqual([1, expect.stringContaining('--id')]);
    // One name, two formats: both would be the policy `policy`.
    const twice = await casefile('import', 'policy', '--direct', folder, '--json');
    expect([twice.code, twice.errors.join()]).toEqual([1, expect.stringContaining('policy.txt')]);
    copyFileSync(join(folder, 'policy.pdf'), join(folder, 'policy-paged.pdf'));
    rmSync(join(folder, 'policy.pdf'));
    const done = await casefile('import', 'policy', '--direct', folder, '--json');
    expect(done.code).toBe(0);
    expect(
      done.json().map(({ policyId, outcome, version, language }) => [policyId, outcome, version, language]),
    ).toEqual(
      ['chapters-ch-binary', 'chapters-ch-files', 'chapters-ch-opersys', 'policy-paged', 'policy'].map(
        (id) => [id, 'new', 1, 'en'],
      ),
    );
    const sections = Object.fromEntries(done.json().map((one) => [one['policyId'], Number(one['sections'])]));
    expect(sections['policy']).toBeGreaterThan(300);
    expect(sections['policy-paged']).toBeGreaterThan(300);
    const again = await casefile('import', 'policy', '--direct', folder);
    expect([again.code, again.lines.filter((line) => line.startsWith('unchanged')).length]).toEqual([0, 5]);
  });

  it.each(['policy', 'policy-paged'])(
    'S4-10 S4-12 S4-21 is searched and quoted end to end: %s',
    async (policyId) => {
      expect(
        (await titles(policyId, 'version number epoch upstream_version debian_revision')).join(),
      ).toMatch(/Version/);
      expect((await titles(policyId, 'home directory of a service user')).join()).toMatch(
        /Non-existent home directories|UID and GID/i,
      );
      const [top] = await titles(policyId, 'maintainer scripts must be idempotent');
      expect(top).toMatch(/idempotency/i);
      const policy = await base.policyVersion(policyId);
      if (policy === null) throw new Error('no policy');
      const found = await searchPolicyTree(
        base,
        { policy, query: 'maintainer scripts must be idempotent', limit: 4 },
        signal,
      );
      const ids = found.sections.map(({ nodeId }) => nodeId);
      const [span] = await base.findSpans(policy, ids, 'scripts idempotent interrupted', 3);
      if (span === undefined) throw new Error('no span');
      const ground = {
        sections: new Map(found.sections.map((one) => [one.nodeId, one])),
        facts: [],
        lookUps: [],
      };
      const quoted = (quote: string) =>
        verifyCitation({ kind: 'quote', nodeId: span.nodeId, quote }, ground).state;
      expect(quoted(span.text)).toBe('verified');
      expect(quoted(`never ${span.text}`)).toBe('says_otherwise');
      if (policyId === 'policy-paged') expect(found.sections[0]?.pages?.from).toBeGreaterThan(10);
    },
  );

  it('S4-14 makes another text another version, and an earlier one current again', async () => {
    const path = join(folder, 'house.md');
    const say = async (text: string, ...more: string[]) => {
      writeFileSync(path, text);
      const [line] = (
        await casefile('import', 'policy', '--direct', path, '--json', '--id', 'house', ...more)
      ).json();
      return [line?.['outcome'], line?.['version'], line?.['language']];
    };
    const english =
      '# Rules\n\nEvery claim has to be made within thirty days of the loss, in writing or by telephone.';
    expect(await say(english)).toEqual(['new', 1, 'en']);
    expect(await say(english.replace('thirty', 'sixty'))).toEqual(['new', 2, 'en']);
    expect(await say(english)).toEqual(['restored', 1, 'en']);
    expect(await say(english)).toEqual(['unchanged', 1, 'en']);
    expect(await say(english, '--language', 'de')).toEqual(['new', 3, 'de']);
  });

  it('S4-14 takes what is good of a folder, names what is not, and ends with 1', async () => {
    const mixed = mkdtempSync(join(folder, 'mixed-'));
    copyFileSync(SAMPLE, join(mixed, 'claims-handling.md'));
    writeFileSync(join(mixed, 'empty.md'), '');
    writeFileSync(join(mixed, 'latin.txt'), Buffer.from('Geb\xfchr', 'latin1'));
    writeFileSync(join(mixed, 'picture.png'), 'not looked at');
    const done = await casefile('import', 'policy', '--direct', mixed, '--json');
    expect(done.code).toBe(1);
    expect(done.json()).toMatchObject([
      { policyId: 'claims-handling', outcome: 'new', version: 1, sections: 115 },
      { policyId: 'empty', error: { reasonCode: 'empty_document' } },
      { policyId: 'latin', error: { reasonCode: 'unknown_encoding' } },
    ]);
    expect((await titles('claims-handling', 'excess for escape of water', 2)).join()).toMatch(/excess/i);
  });

  it.each([
    [['import', 'policy', '--direct', '/no/such/file.md'], 1],
    [['import', 'policy', '--direct', '/dev/null'], 1],
    [['import', 'policy', '--direct'], 2],
    [['import', 'policy', '--direct', 'x.md', '--format', 'docx'], 2],
    [['import', 'policy', '--direct', SAMPLE.pathname, '--id', 'No Id'], 1],
    [['import', 'policy', '--direct', SAMPLE.pathname, '--language', 'English, please'], 1],
  ])('S4-14 %j ends with %i', async (args, code) => {
    expect((await casefile(...args)).code).toBe(code);
  });
});
