// Prints the trace of one case through five processes as a tree.
import { join } from 'node:path';
import { silentLogger } from '@casefile/contracts';
import { temporaryFolder } from '@casefile/contracts/testing';
import { createDatabaseIfMissing, startEmbeddedPostgres } from '@casefile/embedded';
import { inFull, traceTree } from '@casefile/e2e/trace/trace-tree';
import { traceACase } from '@casefile/e2e/trace/trace-a-case';

const dir = temporaryFolder('show-trace');
const postgres = await startEmbeddedPostgres({ dataDir: join(dir, 'postgres'), log: silentLogger });
try {
  await createDatabaseIfMissing(postgres.url('postgres'), 'traced');
  const url = postgres.url('traced');
  const spans = await traceACase(url, url);
  const first = spans.find((span) => span.name === 'accept');
  console.log(
    traceTree(
      spans.filter((span) => span.traceId === first?.traceId),
      inFull,
    ),
  );
} finally {
  await postgres.stop();
}
