// One process of `npm run proofs`: runs the named proofs and sends a row for each. It ends with the process
// that started it.
import { PROOFS } from './index.js';
import { closeShared } from './parts/redis-services.js';
import { runProof } from './proof.js';

const [ids = '', seed = '1', form = 'long'] = process.argv.slice(2);
process.on('disconnect', () => process.exit(1));

for (const id of ids.split(',')) {
  const proof = PROOFS.find((one) => one.id === id);
  if (proof === undefined) throw new Error(`there is no proof ${id}`);
  const execArgv = process.execArgv.filter((_, i, all) => all[i] === '--import' || all[i - 1] === '--import');
  const began = performance.now();
  const seconds = (): string => ((performance.now() - began) / 1000).toFixed(0);
  const say = (line: string): void => console.log(`  ${id}, ${seconds()} s: ${line}`);
  process.send?.(await runProof(proof, { seed: Number(seed), short: form === 'short', execArgv, say }));
}
await closeShared();
process.exit(0);
