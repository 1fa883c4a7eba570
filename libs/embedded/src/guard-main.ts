// Run by the guard of a process that used an embedded Postgres and is gone without having stopped it.
import { endAbandonedServer } from './shared-server.js';

const [dataDir = ''] = process.argv.slice(2);
await endAbandonedServer(dataDir);
