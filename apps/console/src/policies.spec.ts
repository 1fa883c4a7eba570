import type { PolicySection, PolicyVersion } from '@casefile/contracts';
import { startConsoleFake, type ConsoleFake } from './testing/console-fake.js';

const section = (nodeId: string, parentId: string | null, text: string): PolicySection => ({
  nodeId,
  parentId,
  text,
  title: `Section ${nodeId}`,
  level: parentId === null ? 1 : 2,
  pages: { from: 3, to: 4 },
  lines: null,
  summary: '',
  characters: text.length,
});
const version = (number: number): PolicyVersion => ({
  policyId: 'claims',
  version: number,
  title: 'Claims',
  language: 'en',
  format: 'pdf',
  source: 'claims.pdf',
  pages: 12,
  sections: 3,
  importedAt: '2026-01-05T10:00:00.000Z',
});
const sections = [
  section('0001', null, ''),
  section('0002', '0001', 'Within 30 days.'),
  section('0003', null, 'x'),
];

let fake: ConsoleFake;
beforeEach(async () => {
  fake = await startConsoleFake();
  fake.policies.push(
    { version: version(1), sections },
    { version: version(2), sections: sections.slice(0, 1) },
  );
});
afterEach(() => fake.close());

async function get(path: string) {
  const response = await fetch(`${fake.url}/api/v1/policies${path}`);
  return { status: response.status, body: (await response.json()) as Record<string, unknown> };
}

describe('GET /policies', () => {
  it('S4-14 lists what was imported', async () => {
    expect(await get('')).toMatchObject({ status: 200, body: { policies: [version(1), version(2)] } });
  });
});

describe('GET /policies/:policyId/versions/:version', () => {
  it('S4-10 answers a version with its tree, without texts', async () => {
    const { status, body } = await get('/claims/versions/1');
    expect(status).toBe(200);
    expect(body).toMatchObject({ ...version(1), currentVersion: 2 });
    const nodes = body['nodes'] as Record<string, unknown>[];
    expect(nodes.map((node) => [node['nodeId'], node['parentId']])).toEqual([
      ['0001', null],
      ['0002', '0001'],
      ['0003', null],
    ]);
    expect(nodes[1]).toMatchObject({ title: 'Section 0002', pages: { from: 3, to: 4 }, characters: 15 });
    expect(nodes.some((node) => 'text' in node)).toBe(false);
  });

  it('S4-14 answers the current version by that name', async () => {
    expect((await get('/claims/versions/current')).body).toMatchObject({ version: 2, currentVersion: 2 });
  });

  it.each([
    ['/claims/versions/7', 'the policy "claims" has no version 7; the current one is 2'],
    ['/nothing/versions/1', 'no policy has the id "nothing"'],
    ['/nothing/versions/current', 'no policy has the id "nothing"'],
    ['/claims/versions/7/sections?ids=0001', 'the policy "claims" has no version 7; the current one is 2'],
  ])('S4-14 answers 404 for %s, and says which part is not there', async (path, detail) => {
    expect(await get(path)).toMatchObject({ status: 404, body: { reasonCode: 'not_found', detail } });
  });

  it.each(['0', '-1', '1.5', 'latest', '1e3', '9999999999'])('S4-14 refuses version %s', async (given) => {
    const { status, body } = await get(`/claims/versions/${given}`);
    expect({ status, errors: body['errors'] }).toMatchObject({ status: 400, errors: [{ path: 'version' }] });
  });
});

describe('GET /policies/:policyId/versions/:version/sections', () => {
  it('S4-10 answers whole texts, and which ids are not there', async () => {
    const { status, body } = await get('/claims/versions/1/sections?ids=0003,0002,0099,0002');
    expect(status).toBe(200);
    expect(body).toMatchObject({
      policyId: 'claims',
      version: 1,
      unknownNodes: ['0099'],
      sections: [{ nodeId: '0002', text: 'Within 30 days.' }, { nodeId: '0003' }],
    });
  });

  it.each([
    ['', 'ids'],
    ['?ids=', 'ids'],
    ['?ids=a&ids=b', 'ids'],
    ['?ids=0001,', 'ids'],
    ['?ids=../x', 'ids'],
    [`?ids=${Array.from({ length: 51 }, (_, n) => n).join(',')}`, 'ids'],
    [`?ids=${'x'.repeat(4_000)}`, 'ids'],
    ['?ids=0001&depth=2', 'depth'],
  ])('S4-10 names the field that is wrong in %s', async (query, field) => {
    const { status, body } = await get(`/claims/versions/1/sections${query}`);
    expect(status).toBe(400);
    expect((body['errors'] as { path: string }[])[0]?.path).toMatch(new RegExp(`^${field}`));
  });
});
