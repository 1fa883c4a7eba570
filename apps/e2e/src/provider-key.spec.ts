import { routes } from '@casefile/console/routes/index';
import { dumpTables, linesWith } from './testing/dump-stores.js';
import { launchedServices } from './testing/launched-services.js';
import { ended } from './testing/world.js';

/** Made up. The simulator takes no other. */
const KEY = 'sk-made-up-0123456789abcdef0123456789abcdef';
const TEXT = 'Your parcel is held. Pay at https://parcel.example/pay';

it("S4-35 keeps the provider's key out of every table and every answer of the console", async () => {
  const system = await launchedServices({
    script: { key: KEY },
    env: ({ origin }) => ({
      LLM_PROVIDER: 'openai',
      OPENAI_BASE_URL: `${origin}/v1`,
      OPENAI_API_KEY: KEY,
    }),
  });
  try {
    const caseId = await system.alert({ playbook: 'scam-verdict', text: TEXT, collect: false });
    const [run] = (await ended(system, caseId)).runs;
    expect(run?.verdict).toMatchObject({ method: 'llm', degraded: false });
    const tables = await dumpTables(system.databaseUrl);
    expect(linesWith(tables, TEXT)).not.toEqual([]);
    expect(linesWith(tables, KEY)).toEqual([]);
    const paths = routes
      .filter(({ method, response }) => method === 'get' && response !== 'text/event-stream')
      .map(({ path }) => path);
    expect(paths).toContain('/cases/{caseId}');
    for (const path of paths) {
      const url = `${system.service('console').url}/api/v1${path.replace(/\{\w+\}/, caseId)}`;
      expect(await (await fetch(url)).text()).not.toContain(KEY);
    }
  } finally {
    await system.close();
  }
});
