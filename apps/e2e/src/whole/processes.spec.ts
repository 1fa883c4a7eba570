import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { temporaryFolder } from '@casefile/contracts/testing';
import { freePort } from '@casefile/embedded/testing';
import { childEnvironment } from '@casefile/runtime';
import { testDatabase } from '@casefile/store/testing';
import { countRecord } from '../fault-run/count-record.js';
import { emptyQueue } from '../fault-run/empty-queue.js';
import { testRedis } from '../testing/redis-database.js';

const CLI = join(fileURLToPath(import.meta.url), '../../../../cli/dist/main.js');
const SERVICES = ['CONSOLE', 'INGEST', 'EVIDENCE_COLLECTOR', 'REASONER', 'CRITIC_WRITER', 'DECISION'];

describe('casefile up --processes', () => {
  it('judges the samples with each service in a process of its own, on Redis and Postgres, and ends with 0', async () => {
    const database = await testDatabase();
    const queueUrl = testRedis('processes');
    await emptyQueue(queueUrl);
    const ports: Record<string, string> = {};
    for (const name of SERVICES) ports[`${name}_PORT`] = String(await freePort());
    const env = childEnvironment({
      ...ports,
      DATABASE_URL: database.url,
      QUEUE_URL: queueUrl,
      LLM_PROVIDER: 'none',
      NODE_OPTIONS: '',
      CASEFILE_DATA: temporaryFolder('processes'),
    });
    const { code, output } = await run([CLI, 'up', '--processes', '--once'], env);
    expect([code, output]).toEqual([0, expect.stringMatching(/^scam\s+high risk/m)]);
    const counts = await countRecord(database.url);
    expect(counts).toMatchObject({ unfinished: 0, quarantined: 0, verdictsTwice: 0, buried: 0 });
    expect(counts.decided).toBeGreaterThanOrEqual(12);
    await database.drop();
  }, 400_000);
});

function run(args: string[], env: NodeJS.ProcessEnv): Promise<{ code: number | null; output: string }> {
  const child = spawn(process.execPath, args, { env, stdio: ['ignore', 'pipe', 'pipe'] });
  let output = '';
  for (const stream of [child.stdout, child.stderr])
    stream.on('data', (chunk: Buffer) => (output += chunk.toString()));
  return new Promise((resolve) => child.on('close', (code) => resolve({ code, output })));
}
