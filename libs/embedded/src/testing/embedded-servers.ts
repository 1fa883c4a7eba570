import { silentLogger, type Logger } from '@casefile/contracts';
import { temporaryFolder } from '@casefile/contracts/testing';
import type { EmbeddedPostgres } from '../embedded-postgres.js';
import { startEmbeddedPostgres } from '../index.js';
import { urlAddress } from '../server-url.js';
import { simpleQuery } from '../session.js';

/** Servers of the tests of a file, which are stopped after each test. */
export interface EmbeddedServers {
  /** Folder of all servers. */
  dir: string;
  /** Starts a server. Default folder: `data`, which the tests share, because creating a cluster takes most of a start. */
  start(over?: { dataDir?: string; durable?: boolean; log?: Logger }): Promise<EmbeddedPostgres>;
}

/** Returns the servers of a file of tests. `dir` is filled before the first test. */
export function embeddedServers(): EmbeddedServers {
  const started: EmbeddedPostgres[] = [];
  const servers: EmbeddedServers = {
    dir: '',
    start: async (over = {}) => {
      const dataDir = `${servers.dir}/data`;
      const server = await startEmbeddedPostgres({ dataDir, durable: false, log: silentLogger, ...over });
      started.push(server);
      return server;
    },
  };
  beforeAll(() => void (servers.dir = temporaryFolder('embedded')));
  afterEach(async () => {
    for (const server of started.splice(0).reverse()) await server.stop();
  });
  return servers;
}

/** Returns the first values of the rows of a statement. */
export const ask = (server: EmbeddedPostgres, sql: string, database = 'postgres'): Promise<string[]> =>
  simpleQuery(urlAddress(server.url(database)), sql);
