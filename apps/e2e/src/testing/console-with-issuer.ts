import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Logger, Role } from '@casefile/contracts';
import { kinds } from '@casefile/shipped/loaded';
import { temporaryFolder } from '@casefile/contracts/testing';
import { consoleService } from '@casefile/console/console';
import { freePort } from '@casefile/embedded/testing';
import { assemble, connect, readConfig, startService, stopServices, type Platform } from '@casefile/runtime';
import { testDatabase } from '@casefile/store/testing';
import { startTestIssuer, type TestIssuer } from './test-issuer.js';
import { testEnvironment } from './world.js';

/** A console on its own database, with a real provider of sign-ins. */
export interface ConsoleWithIssuer {
  url: string;
  databaseUrl: string;
  platform: Platform;
  issuer: TestIssuer;
  close(): Promise<void>;
}

interface ConsoleOptions {
  /** Role of each group. */
  roles?: Record<string, Role>;
  attemptsPerMinute?: number;
  /** A database of a server with the rights to create databases. Default: the server of the tests. */
  postgresUrl?: string;
  /** Default: nothing is logged. */
  log?: Logger;
}

const ROLES_OF_GROUPS: Record<string, Role> = { watchers: 'viewer', soc: 'operator', leads: 'admin' };

/** Starts both. */
export async function consoleWithIssuer({
  roles = ROLES_OF_GROUPS,
  attemptsPerMinute = 10_000,
  postgresUrl,
  log,
}: ConsoleOptions = {}): Promise<ConsoleWithIssuer> {
  const port = await freePort();
  const url = `http://localhost:${port}`;
  const [issuer, database] = await Promise.all([startTestIssuer(url), testDatabase(postgresUrl)]);
  const dir = temporaryFolder('sign-in');
  const file = join(dir, 'own.yaml');
  const oidc = {
    issuer: issuer.url,
    clientId: issuer.clientId,
    clientSecret: '${TEST_OIDC_SECRET}',
    publicUrl: url,
    roles,
  };
  writeFileSync(file, JSON.stringify({ access: { attemptsPerMinute, oidc } }));
  const config = readConfig(
    {
      ...testEnvironment({ DATABASE_URL: database.url, QUEUE_URL: database.url }),
      CASEFILE_DATA: dir,
      CASEFILE_CONFIG: file,
      CASEFILE_SAMPLES: 'off',
      CONSOLE_PORT: String(port),
      TEST_OIDC_SECRET: issuer.clientSecret,
      LOG_LEVEL: 'silent',
    },
    kinds,
  );
  const { adapters, close } = await connect(config, []);
  const platform = assemble(log === undefined ? adapters : { ...adapters, log });
  const service = await startService(consoleService, platform);
  return {
    url,
    databaseUrl: database.url,
    platform,
    issuer,
    close: async () => {
      await stopServices([service], platform, 2_000);
      await close();
      await issuer.close();
      await database.drop();
    },
  };
}
