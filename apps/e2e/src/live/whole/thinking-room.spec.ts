import { readProviderTable, resolveProvider } from '@casefile/llm';
import { startSimulator, type Simulator } from '@casefile/llm-simulator/simulator';
import { LIVE_CASES } from '../live-cases.js';
import { runLiveSuite } from '../run-live-suite.js';

let simulator: Simulator;
beforeAll(async () => void (simulator = await startSimulator()));
afterAll(() => simulator.close());

it.each([
  ['gemini', '/v1beta'],
  ['anthropic', ''],
  ['openai', '/v1'],
])(
  'S2-06 %s as shipped answers whole, though its model thinks for 3,000 tokens first',
  async (name, path) => {
    simulator.setScript({ then: { kind: 'rules', manner: 'thoughtful' } });
    const env = { GEMINI_API_KEY: 'k', ANTHROPIC_API_KEY: 'k', OPENAI_API_KEY: 'k' };
    const baseUrl = simulator.origin + path;
    const shipped = resolveProvider({ table: readProviderTable(), name, env, baseUrl });
    const screening = LIVE_CASES.filter(({ name: of }) => of === 'harmless');
    const embeddings = { EMBEDDINGS_URL: `${simulator.origin}/v1`, EMBEDDINGS_MODEL: 'simulated' };
    const whole = await runLiveSuite(shipped, embeddings, screening);
    expect(whole.rows[0]).toMatchObject({ method: 'llm', modelCalls: 1 });
    const bare = { ...shipped, entry: { ...shipped.entry, thinkingRoom: 0 } };
    const cut = await runLiveSuite(bare, embeddings, screening);
    simulator.reset();
    expect(cut.rows[0]?.problems[0]).toMatch(/not by the model/);
  },
);
