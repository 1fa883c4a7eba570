import { PROOFS } from './index.js';
import { occurrences } from './mutate.js';
import { closeShared } from './parts/redis-services.js';
import { proofsNamed, runShort } from './short-form.js';

afterAll(closeShared);

// The folder `whole` has the short forms of the others. Cheaper tests of the fast tier have their ids in their
// titles. The long forms, and the mutations: `npm run proofs`. These two call startRedis.
it.each(proofsNamed('R1', 'R6'))(
  '%s %s',
  async (_id, _promise, proof) => {
    const row = await runShort(proof);
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
