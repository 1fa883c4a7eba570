import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import type { AlertInput } from '@casefile/contracts';
import { hostileProblems, replayKind, runKind } from '@casefile/kit/testing';
import type { Kind } from '@casefile/kit';
import { readYamlKind } from './read-yaml-kind.js';

const SAMPLE = new URL('../../../samples/kinds/vendor-bank-change/', import.meta.url);
const kind = readYamlKind(fileURLToPath(new URL('kind.yaml', SAMPLE))) as Kind;
const alert = JSON.parse(readFileSync(new URL('samples/alert.json', SAMPLE), 'utf8')) as AlertInput;
const script = {
  model: () =>
    JSON.stringify({ risk: 'high', confidence: 0.9, why: 'A look-alike domain [E1].', evidenceUsed: ['E1'] }),
  tools: { domain_reputation: { entityTypes: ['domain'], answer: () => ({ ageDays: 3, note: 'new' }) } },
};

describe('a kind written as YAML', () => {
  it('holds against hostile evidence, tools that fail and models that repeat it', async () => {
    expect(await hostileProblems(kind, alert, script)).toEqual([]);
  });

  it('is replayed from its recorded answers with the same verdict', async () => {
    const run = await runKind(kind, alert, script);
    expect(run.verdict).toMatchObject({
      disposition: 'act',
      outcome: { action: 'block' },
      citations: ['E1'],
    });
    expect((await replayKind(kind, run)).verdict).toEqual(run.verdict);
  });
});
