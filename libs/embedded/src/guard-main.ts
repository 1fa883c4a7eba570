// Program of the guard. It runs after a process has ended without stopping its embedded Postgres.
import { endAbandonedServer } from './shared-server.js';

const [dataDir = ''] = process.argv.slice(2);
await endAbandonedServer(dataDir);
