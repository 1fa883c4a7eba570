import { mkdir, readFile, readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { temporaryFolder } from '@casefile/contracts/testing';
import { findDrift } from './drift.js';
import { writeMigration } from './write-migration.js';

describe('a migration that is written from the schema', () => {
  const serverUrl = process.env['CASEFILE_TEST_POSTGRES'] ?? '';
  let dir: string;
  let folder: URL;
  beforeEach(() => {
    dir = temporaryFolder('migrations');
    folder = pathToFileURL(`${dir}/`);
  });

  it('has what the migrations lack, after all that are there', async () => {
    await mkdir(join(dir, '20990101000000_later'));
    const drift = (url: string) =>
      findDrift(url, (schema) => `${schema}\n`.replace(/^(model Feedback \{)$/m, '$1\n  mood String?'));
    const made = await writeMigration(serverUrl, ' Mood of feedback?', { folder, drift });
    expect(made).toMatchObject({ name: '20990101000001_mood_of_feedback', removes: false });
    const sql = await readFile(join(dir, made!.name, 'migration.sql'), 'utf8');
    expect(sql).toMatch(/ALTER TABLE "feedback" ADD COLUMN\s+"mood" TEXT;\n/);
  });

  it('is not written where they agree', async () => {
    expect(await writeMigration(serverUrl, 'nothing', { folder })).toBeNull();
    expect(await readdir(dir)).toEqual([]);
  });

  it('says that it takes something away', async () => {
    const drift = () => Promise.resolve('-- DropTable\nDROP TABLE "notes";');
    const options = { folder, drift, now: new Date('2026-01-05T10:00:00Z') };
    expect(await writeMigration(serverUrl, 'notes', options)).toMatchObject({
      name: '20260105100000_notes',
      removes: true,
    });
  });
});
