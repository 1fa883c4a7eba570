import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { temporaryFolder } from '@casefile/contracts/testing';
import { kinds, playbooks } from '@casefile/shipped/loaded';
import { configurationEntries } from './configuration-entries.js';
import { readConfig } from './read-config.js';

const KIND = playbooks[0]!.name;

async function entries(own: object, variables: Record<string, string> = {}) {
  const file = join(temporaryFolder('settings'), 'own.yaml');
  writeFileSync(file, JSON.stringify(own));
  const all = await configurationEntries(
    readConfig({ LLM_PROVIDER: 'none', CASEFILE_CONFIG: file, ...variables }, kinds),
  );
  return { file, all, named: (name: string) => all.find((one) => one.name === name) };
}

describe('the configuration in force', () => {
  it('T-22 names every setting once, with its value and source', async () => {
    const { file, all, named } = await entries(
      { handOn: 'direct', playbooks: { [KIND]: { deadlineMs: 7_000 } } },
      { CONSOLE_PORT: '4000' },
    );
    expect(new Set(all.map(({ name }) => name)).size).toBe(all.length);
    expect(named('handOn')).toEqual({ name: 'handOn', value: 'direct', source: 'file', file });
    expect(named(`playbooks.${KIND}.deadlineMs`)).toMatchObject({ value: 7_000, source: 'file' });
    expect(named('lease.seconds')).toMatchObject({ value: 6, source: 'default', file: null });
    expect(named('CONSOLE_PORT')).toMatchObject({ value: 4_000, source: 'environment' });
    expect(named('INGEST_PORT')).toMatchObject({ value: 3_001, source: 'default' });
    expect(named(`playbooks.${KIND}.provider`)).toMatchObject({ value: 'none', source: 'environment' });
    expect(named('DATABASE_URL')).toMatchObject({ value: null, source: 'default' });
  });

  it('T-22 holds no secret, and leaves names of variables unresolved', async () => {
    const { all, named } = await entries(
      {
        destinations: {
          archive: { type: 'webhook', url: 'https://archive.example/in', secret: '${ARCHIVE_KEY}' },
        },
      },
      {
        ARCHIVE_KEY: 'whsec_cGxhbnRlZC1zZWNyZXQtcGxhbnRlZA',
        OPENAI_API_KEY: 'planted-openai',
        CASEFILE_VERDICT_KEY: 'planted-verdict-key-0123456789',
        DATABASE_URL: 'postgres://casefile:planted-password@db.example/casefile',
      },
    );
    expect(JSON.stringify(all).replaceAll('plantedClaims', '')).not.toMatch(/planted|cGxhbnRlZ/);
    expect(named('destinations.archive.secret')).toMatchObject({ value: '${ARCHIVE_KEY}', source: 'file' });
    expect(named('OPENAI_API_KEY')).toMatchObject({ source: 'environment' });
    expect(named('CASEFILE_VERDICT_KEY')).toMatchObject({ source: 'environment' });
    expect(named('DATABASE_URL')?.value).toMatch(/^postgres:\/\/.+@db\.example\/casefile$/);
  });
});
