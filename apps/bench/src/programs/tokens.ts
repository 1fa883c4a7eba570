// Counts the tokens that the samples of each kind cost, by prompt, and their price with and without a provider's prompt cache.
// Options: [--provider openai]: entry whose list prices apply; --prompts: one row per prompt.
import { parseArgs } from 'node:util';
import { onPrivatePostgres } from '@casefile/e2e/testing/private-postgres';
import { readProviderTable } from '@casefile/llm';
import { countTokens, pricesOf, type PromptTokens } from '../tokens/token-run.js';

const { provider, prompts: byPrompt } = parseArgs({
  options: { provider: { type: 'string', default: 'openai' }, prompts: { type: 'boolean', default: false } },
}).values;
const entry = readProviderTable().get(provider);
if (entry === undefined) throw new Error(`--provider: no provider has the name ${provider}`);

await onPrivatePostgres(async (postgres) => {
  process.env['CASEFILE_TEST_POSTGRES'] = postgres.url('postgres');
  const { cases, prompts } = await countTokens();
  console.log(`Prices of ${entry.model}. Per case: tokens of 4 characters, US cents.\n`);
  console.log(
    line(['kind', 'cases', 'calls', 'input', 'cached', 'output', 'input ¢', 'of without', 'output ¢']),
  );
  for (const [kind, count] of cases) {
    const own = prompts.filter((one) => one.kind === kind);
    print(kind, own, count);
    if (byPrompt) for (const one of own) print(`  ${one.prompt}`, [one], count);
  }
  return true;

  function print(name: string, own: readonly PromptTokens[], count: number): void {
    const of = (field: 'calls' | 'input' | 'cached' | 'output') =>
      own.reduce((sum, one) => sum + one[field], 0) / count;
    const [input, cached, output] = [of('input'), of('cached'), of('output')];
    const price = pricesOf(entry!, { input, cached, output });
    const cents = (usd: number) => (usd * 100).toFixed(3);
    const share = (price.input / price.inputWithoutCache).toFixed(2);
    const whole = [input, cached, output].map((tokens) => tokens.toFixed(0));
    console.log(
      line([
        name,
        String(count),
        of('calls').toFixed(1),
        ...whole,
        cents(price.input),
        share,
        cents(price.output),
      ]),
    );
  }
});

function line([name = '', ...cells]: string[]): string {
  return name.padEnd(34) + cells.map((cell) => cell.padStart(11)).join('');
}
