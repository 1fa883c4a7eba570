import { readOptions } from './options.js';
import { startSimulator } from './simulator.js';

const simulator = await startSimulator(readOptions(process.argv.slice(2)));
console.log(
  `casefile-simulator makes its answers up; LLM_PROVIDER=simulator LLM_BASE_URL=${simulator.baseUrl}`,
);
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => void simulator.close());
