import { CasefileError, silentLogger, z, type Tool } from '@casefile/contracts';
import { warmTools } from './warm-tools.js';

const tool = (name: string, warm?: Tool['warm']): Tool => ({
  name,
  description: 'Finds something.',
  locality: 'local',
  reads: 'database',
  entityTypes: [],
  args: z.object({}),
  limits: { timeoutMs: 1, attempts: 1, concurrency: 1 },
  run: () => Promise.reject(new Error('it is never called')),
  ...(warm === undefined ? {} : { warm }),
});

it('prepares each tool that a kind uses once, and goes on without one that fails', async () => {
  const warmed: string[] = [];
  const all = [
    tool('encoder', async () => void warmed.push('encoder')),
    tool('broken', () => Promise.reject(new CasefileError('no_embedder', 'it cannot be loaded'))),
    tool('unused', async () => void warmed.push('unused')),
    tool('plain'),
  ];
  const named = (name: string) => all.find((one) => one.name === name) ?? null;
  const told: unknown[] = [];
  const log = { ...silentLogger, warn: (facts: unknown) => void told.push(facts) };
  await warmTools(['encoder', 'broken', 'plain', 'encoder', 'of_another_process'], { named }, log as never);
  expect(warmed).toEqual(['encoder']);
  expect(told).toEqual([{ tool: 'broken', reason: 'no_embedder', error: 'it cannot be loaded' }]);
});
