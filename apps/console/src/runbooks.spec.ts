import type { RunbookDocument } from '@casefile/contracts';
import { startConsoleFake, type ConsoleFake } from './testing/console-fake.js';

const version = (number: number) => ({
  name: 'disk',
  version: number,
  title: 'Full disk',
  pin: `sha256:${`${number}`.repeat(64)}`,
  source: 'books/disk.md',
  address: null,
  alerts: ['DiskFull'],
  labels: {},
  characters: 6,
  importedAt: '2026-01-05T10:00:00.000Z',
});
const runbook: RunbookDocument = {
  name: 'disk',
  currentVersion: 2,
  rules: [{ from: 'front matter', labels: {}, alerts: ['DiskFull'] }],
  isDefault: true,
  versions: [
    { ...version(2), text: '# Two!' },
    { ...version(1), text: '# One!' },
  ],
};

let fake: ConsoleFake;
beforeEach(async () => {
  fake = await startConsoleFake();
  fake.runbooks.push(runbook);
});
afterEach(() => fake.close());

async function get(path: string) {
  const response = await fetch(`${fake.url}/api/v1/runbooks${path}`);
  return { status: response.status, body: (await response.json()) as Record<string, unknown> };
}

describe('GET /runbooks', () => {
  it('S2-41 lists them with the rules that lead to them', async () => {
    const listed = { ...version(2), rules: runbook.rules, isDefault: true };
    expect(await get('')).toEqual({ status: 200, body: { runbooks: [listed] } });
  });

  it('S2-41 answers one with every text it had', async () => {
    expect(await get('/disk')).toEqual({ status: 200, body: runbook });
  });

  it('says that there is none of a name', async () => {
    expect(await get('/none')).toMatchObject({
      status: 404,
      body: { detail: expect.stringContaining('"none"') },
    });
  });
});
