import { readFileSync } from 'node:fs';
import { silentLogger, type JsonObject } from '@casefile/contracts';
import { openDatabase } from '@casefile/runtime';
import { migrate, readMigrations } from '@casefile/store';
import { FIVE_SERVICES, fiveServices } from '../testing/five-services.js';
import { databaseWithRoles, type DatabaseWithRoles } from '../testing/database-roles.js';
import { erases } from '../erasure.suite.js';
import { ended } from '../testing/world.js';
import { testRedis } from '../testing/redis-database.js';
import type { StartSystem } from '../testing/launched-services.js';

const CASES_IN_ERASURE = 4;
/** The first sample of each file. */
const FIRST_SAMPLES = ['alerts', 'incidents'].map((name) => {
  const file = new URL(`../../../../samples/${name}.json`, import.meta.url);
  return (JSON.parse(readFileSync(file, 'utf8')) as JsonObject[])[0]!;
});
const ALL_SERVICES = [...FIVE_SERVICES, 'console'] as const;

const databases: DatabaseWithRoles[] = [];
const logs: string[] = [];

/** Starts the six services in processes of their own, each under its role. */
const underRoles: StartSystem = async ({ queueUrl, ...options }) => {
  const database = await databaseWithRoles();
  databases.push(database);
  const system = await fiveServices({
    ...options,
    services: ALL_SERVICES,
    databaseUrl: database.url,
    queueUrl: queueUrl ?? testRedis('roles'),
    envOf: (service) => ({ DATABASE_URL: database.urlOf(service) }),
  });
  await system.start();
  logs.push(system.logFile);
  return {
    ...system,
    crash: async () => {
      const killed = ['reasoner', 'critic-writer', 'decision'] as const;
      await Promise.all(killed.map((name) => system.service(name).signal('SIGKILL')));
      await system.start();
    },
  };
};

const refusals = (): string[] =>
  logs.flatMap((file) =>
    readFileSync(file, 'utf8')
      .split('\n')
      .filter((line) => /permission denied|must be owner/.test(line)),
  );

afterAll(async () => {
  for (const database of databases) await database.drop();
});

describe('services under roles of their own', () => {
  describe('an erasure', () => {
    erases(underRoles, 'roles', CASES_IN_ERASURE);
    it('asks for no right that a role lacks', () => expect(refusals()).toEqual([]));
  });

  it('E-08 decide cases without a right that a role lacks', async () => {
    const system = await underRoles({ queueUrl: testRedis('roles-cases') });
    try {
      for (const alert of FIRST_SAMPLES) await ended(system, await system.alert(alert));
      expect(refusals()).toEqual([]);
    } finally {
      await system.close();
    }
  });

  it('E-08 migrate as the owner, and refuse to start before that by the name of the remedy', async () => {
    const all = (await readMigrations()).map(({ name }) => name);
    const newest = all.at(-1)!;
    const database = await databaseWithRoles((name) => name !== newest);
    databases.push(database);
    const config = { databaseUrl: database.urlOf('ingest'), dataDir: '' };
    await expect(openDatabase(config, silentLogger)).rejects.toThrow(
      /its user lacks a right: permission denied .* `casefile migrate` as the owner .* `casefile database roles`/,
    );
    expect(await migrate(database.urlOf('owner'))).toEqual([newest]);
    await database.grantRoles();
    await expect(openDatabase(config, silentLogger)).resolves.toMatchObject({ url: config.databaseUrl });
  });
});
