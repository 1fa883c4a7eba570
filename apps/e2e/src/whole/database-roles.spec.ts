import { readFileSync } from 'node:fs';
import { silentLogger, type JsonObject } from '@casefile/contracts';
import { openDatabase } from '@casefile/runtime';
import { migrate, readMigrations } from '@casefile/store';
import { FIVE_SERVICES, fiveServices } from '../testing/five-services.js';
import { databaseWithRoles } from '../testing/database-roles.js';
import { reachesDestinations } from '../destinations.suite.js';
import { erases } from '../erasure.suite.js';
import { answersReviews } from '../reviews.suite.js';
import { ended } from '../testing/world.js';
import { testRedis } from '../testing/redis-database.js';
import type { StartSystem } from '../testing/launched-services.js';

const CASES_IN_ERASURE = 4;
const TEXTS = 10;
/** The first sample of each file. */
const FIRST_SAMPLES = ['alerts', 'incidents'].map((name) => {
  const file = new URL(`../../../../samples/${name}.json`, import.meta.url);
  return (JSON.parse(readFileSync(file, 'utf8')) as JsonObject[])[0]!;
});
/** Starts the six services in processes of their own, each under its role. */
const underRoles: StartSystem = async (options) => {
  const system = await fiveServices({ ...options, services: [...FIVE_SERVICES, 'console'] });
  await system.start();
  return {
    ...system,
    crash: async () => {
      const killed = ['reasoner', 'critic-writer', 'decision', 'console'] as const;
      await Promise.all(killed.map((name) => system.service(name).signal('SIGKILL')));
      await system.start();
    },
  };
};

describe('services under roles of their own', () => {
  describe('an erasure', () => erases(underRoles, 'roles', CASES_IN_ERASURE));
  describe('destinations', () => reachesDestinations(underRoles));
  describe('reviews', () => answersReviews(underRoles, TEXTS));

  it('E-08 decide cases', async () => {
    const system = await underRoles({ queueUrl: testRedis('roles-cases') });
    try {
      for (const alert of FIRST_SAMPLES) await ended(system, await system.alert(alert));
    } finally {
      await system.close();
    }
  });

  it('E-08 migrate as the owner, and refuse to start before that by the name of the remedy', async () => {
    const all = (await readMigrations()).map(({ name }) => name);
    const newest = all.at(-1)!;
    const database = await databaseWithRoles((name) => name !== newest);
    const config = { databaseUrl: database.urlOf('ingest'), dataDir: '' };
    await expect(openDatabase(config, silentLogger)).rejects.toThrow(
      /its user lacks a right: permission denied .* `casefile migrate` as the owner .* `casefile database roles`/,
    );
    expect(await migrate(database.urlOf('owner'))).toEqual([newest]);
    await database.grantRoles();
    await expect(openDatabase(config, silentLogger)).resolves.toMatchObject({ url: config.databaseUrl });
    await database.drop();
  });
});
