import { PROOFS } from './index.js';
import { occurrences } from './mutate.js';
import { closeShared } from './parts/redis-services.js';
import { runProof } from './proof.js';

afterAll(closeShared);

// The long forms, and the mutations: `npm run proofs`. Most of these proofs call startRedis.
it.each(PROOFS.map((proof) => [proof.id, proof.promise, proof] as const))(
  '%s %s',
  async (_id, _promise, proof) => {
    const row = await runProof(proof, { seed: 7, short: true, execArgv: [], say: () => undefined });
    expect([row.measured, row.passed]).toEqual([row.measured, true]);
  },
  400_000,
);

it('covers R1 to R18, each with a mutation of text that the source has', () => {
  expect(PROOFS.map(({ id }) => id)).toEqual(Array.from({ length: 18 }, (_, n) => `R${n + 1}`));
  for (const { id, mutation } of PROOFS)
    for (const replacement of mutation.replacements)
      expect([id, replacement.find, occurrences(replacement)]).toEqual([id, replacement.find, 1]);
});
