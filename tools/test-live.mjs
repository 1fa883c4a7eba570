// `npm run test:live`: runs every playbook with every real provider whose key is set, and writes a table for
// each to docs/results/live. It costs a little money.
import { spawn } from 'node:child_process';
import { install } from './install.mjs';
import { root } from './root.mjs';

await install();
const { build } = await import('./build.mjs');
await build(['libs/contracts', 'libs/telemetry', 'libs/llm']);
const { readProviderTable } = await import('../libs/llm/dist/index.js');

const providers = [...readProviderTable().values()].filter((entry) => entry.keyVariable !== null);
const live = providers.filter((entry) => process.env[entry.keyVariable]);
if (live.length === 0) {
  const keys = [...new Set(providers.map((entry) => entry.keyVariable))].join(', ');
  console.log(`The live suite is skipped: no provider's key is set (any of ${keys}).`);
  process.exit(0);
}
console.log(`The live suite asks: ${live.map((entry) => `${entry.name} (${entry.model})`).join(', ')}`);
const jest = ['--no-warnings', 'node_modules/jest/bin/jest.js', '--testMatch', '**/*.live.ts'];
spawn(process.execPath, jest, { cwd: root, stdio: 'inherit' }).on('close', (code) => process.exit(code ?? 1));
