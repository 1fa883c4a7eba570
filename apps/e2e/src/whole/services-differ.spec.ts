import type { Condition } from '@casefile/contracts';
import { until } from '@casefile/contracts/testing';
import type { ServiceName } from '@casefile/runtime';
import { fiveServices, type FiveServices } from '../testing/five-services.js';
import { serviceProcesses, type ProcessSettings, type ServiceProcess } from '../testing/service-processes.js';
import { WHOLE_SYSTEM_MS } from '../testing/whole-system-limit.js';

/** Makes a process read another version from the file that states it, as after an upgrade of one service. */
const OTHER_VERSION = `data:text/javascript,${encodeURIComponent(`
  import fs from 'node:fs';
  import { syncBuiltinESMExports } from 'node:module';
  const read = fs.readFileSync;
  fs.readFileSync = (file, ...more) => {
    const content = read(file, ...more);
    const isVersion = String(file).endsWith('/libs/runtime/package.json');
    return isVersion ? JSON.stringify({ ...JSON.parse(content), version: '99.0.0' }) : content;
  };
  syncBuiltinESMExports();`)}`;

describe('T-20 services that differ from the reasoner', () => {
  let world: FiveServices;
  const odd: ServiceProcess[] = [];
  beforeAll(async () => {
    world = await fiveServices({ services: ['reasoner', 'console'], env: () => ({ LLM_PROVIDER: 'none' }) });
    await world.start();
  }, 300_000);
  afterAll(async () => {
    await Promise.all(odd.map((one) => one.end()));
    await world.close();
  });

  const startOdd = async (name: ServiceName, over: Partial<ProcessSettings>): Promise<ServiceProcess> => {
    const { databaseUrl, queueUrl, logFile, configFile: config, folder } = world;
    const env = { CASEFILE_CONFIG: config, CASEFILE_DATA: folder, ...over.env };
    const settings = { databaseUrl, queueUrl, logFile, ...over, env };
    const [one] = await serviceProcesses([name], settings);
    odd.push(one!);
    await one!.start();
    return one!;
  };
  const condition = async (id: string): Promise<Condition | undefined> => {
    const answer = await fetch(`${world.service('console').url}/api/v1/conditions`);
    return ((await answer.json()) as { conditions: Condition[] }).conditions.find((one) => one.id === id);
  };

  it('are conditions while they run, and none after they stop', async () => {
    const ingest = await startOdd('ingest', { execArgv: ['--import', OTHER_VERSION] });
    const critic = await startOdd('critic-writer', {
      env: { LLM_PROVIDER: 'simulator', LLM_BASE_URL: world.simulator.baseUrl },
    });
    const found: (Condition | undefined)[] = [];
    const ids = ['versions_differ', 'models_differ'];
    const areListed = async () => {
      found.splice(0, 2, ...(await Promise.all(ids.map(condition))));
      return found.every((one) => one !== undefined);
    };
    await until('both are conditions', areListed, 20, WHOLE_SYSTEM_MS);
    expect(found).toMatchObject([
      {
        severity: 'warning',
        text: 'Ingest runs another version of Casefile than the reasoner',
        act: 'Deploy the same version of every service.',
      },
      {
        severity: 'error',
        text: 'Critic-writer can ask other models, or has other prompts, than the reasoner',
        act: expect.stringContaining('the same keys, LLM_ variables and prompts'),
      },
    ]);
    await Promise.all([ingest.signal('SIGTERM'), critic.signal('SIGTERM')]);
    const isResolved = async () => (await Promise.all(ids.map(condition))).every((one) => one === undefined);
    await until('no difference is left', isResolved, 20, WHOLE_SYSTEM_MS);
  }, 900_000);
});
