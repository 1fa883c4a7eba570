import { ALL_RULES } from '@casefile/contracts';
import { caseModel, interleavingSteps, playStep } from '@casefile/contracts/testing';
import { StoredCase } from '../testing/stored-case.js';
import { testRecord } from '../testing/test-record.js';

const at = testRecord();
/** Numbers of interleavings, and the first seed. A longer run sets them. */
const COUNT = Number(process.env['INTERLEAVINGS'] ?? 30);
const FIRST = Number(process.env['FIRST_SEED'] ?? 1);

describe('a case in Postgres under random interleavings', () => {
  it.each(Array.from({ length: COUNT }, (_, i) => FIRST + i))(
    'S4-59 S4-62 shows and sends after each step what the model of the rules does, seed %i',
    async (seed) => {
      const model = caseModel(seed, ALL_RULES);
      const stored = new StoredCase(at(), `f${seed}`);
      const played: string[] = [];
      const same = async () =>
        expect({ played, case: await stored.observe() }).toEqual({ played, case: model.observe() });
      for (const step of interleavingSteps(seed)) {
        played.push(JSON.stringify(step));
        playStep(model, step);
        await stored.play(step);
        await same();
      }
      model.finish();
      await stored.finish();
      await same();
      expect(model.broken).toEqual([]);
    },
  );
});
