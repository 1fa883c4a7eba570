import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { writeFileSync } from 'node:fs';
import { temporaryFolder } from '@casefile/contracts/testing';
import { startSimulator } from '@casefile/llm-simulator/simulator';
import { testDatabase } from '@casefile/store/testing';
import { rollVersions } from '../fault-run/roll-versions.js';
import { PATIENT_OF_RESTARTS } from '../testing/patient-settings.js';

const ROOT = fileURLToPath(new URL('../../../../', import.meta.url));

// Between two versions and with 1,000 runs, by hand: `npm run measure -- upgrade-load`.
it('R17 a rolling restart of all services with runs in flight, and back, decides all and pays nothing twice', async () => {
  const [database, folder] = [await testDatabase(), temporaryFolder('roll')];
  const simulator = await startSimulator({ script: { delayMs: 1_000 } });
  const config = join(folder, 'config.yaml');
  writeFileSync(
    config,
    JSON.stringify({ ...PATIENT_OF_RESTARTS, concurrency: { reason: { live: 2, bulk: 1 } } }),
  );
  const env = {
    LLM_PROVIDER: 'simulator',
    LLM_BASE_URL: simulator.baseUrl,
    CASEFILE_CONFIG: config,
    CASEFILE_DATA: folder,
  };
  const where = { databaseUrl: database.url, queueUrl: database.url, logFile: join(folder, 'log') };
  const figures = await rollVersions({
    settings: { ...where, env },
    versions: [ROOT, ROOT],
    runs: 20,
    settleMs: 250_000,
    say: () => undefined,
  });
  for (const one of figures) {
    expect(one).toMatchObject({ accepted: 20, decided: 20, stuck: 0, quarantined: 0, failed: 0 });
    expect(one).toMatchObject({ paidTwice: 0, verdictsTwice: 0 });
    expect(one.inFlight).toBeGreaterThan(0);
  }
  await simulator.close();
  await database.drop();
}, 600_000);
