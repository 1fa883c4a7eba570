import { verdictSchema } from '@casefile/contracts';
import { instantModel } from '@casefile/e2e/testing/instant-model';
import { rowsIn } from '@casefile/e2e/testing/run-casefile';
import { worldOn } from '@casefile/e2e/testing/world';
import { testDatabase } from '@casefile/store/testing';
import { fuzzedAnswers } from './parts/fuzzed-answer.js';
import { alertNumber, settled } from './parts/system.js';
import type { Proof } from './proof.js';

/** Cases at the same time. */
const AT_ONCE = 100;

export const r13: Proof = {
  id: 'R13',
  promise: 'A malformed answer neither crashes a worker nor makes an invalid verdict.',
  mechanism:
    'Each answer is parsed, repaired and checked against a schema. Otherwise it is asked again, or rules decide.',
  figure: '10,000 fuzzed answers: 0 crashes, 0 invalid verdicts',
  limitMinutes: 15,
  mutation: {
    what: 'answers are not checked against their schema',
    replacements: [
      {
        file: 'libs/pipeline/src/answers/read-object.ts',
        find: 'return parsed.success && problems.length === 0 ? { value: parsed.data } : { problems };',
        replace: 'return { value: fit.value };',
      },
    ],
  },
  run: async ({ seed, short, say }) => {
    const fewestCalls = short ? 200 : 10_000;
    const database = await testDatabase();
    const answer = fuzzedAnswers(seed);
    const instant = instantModel();
    const model = {
      ...instant,
      complete: async (...args: Parameters<typeof instant.complete>) => ({
        ...(await instant.complete(...args)),
        content: answer(),
      }),
    };
    const world = await worldOn(database.url, 'postgres', model, { LOG_LEVEL: 'fatal' });
    try {
      let cases = 0;
      while (instant.calls() < fewestCalls) {
        const first = cases;
        cases += AT_ONCE;
        await Promise.all(
          Array.from({ length: AT_ONCE }, (_, n) =>
            world.accept({ ...alertNumber(first + n), collect: false }),
          ),
        );
        const { unfinished } = await settled(database.url, 240_000);
        if (unfinished > 0) break;
        if (cases % 1_000 === 0) say(`${instant.calls()} answers`);
      }
      const { decided } = await settled(database.url, 1_000);
      const rows = await rowsIn(database.url, `select body from artifacts where artifact = 'verdict'`);
      const invalid = rows.filter(({ body }) => !verdictSchema.safeParse(body).success).length;
      const crashes = cases - decided;
      return {
        measured: `${instant.calls()} answers in ${cases} cases: ${crashes} crashes, ${invalid} invalid verdicts`,
        passed: crashes === 0 && invalid === 0 && instant.calls() >= fewestCalls && rows.length === cases,
      };
    } finally {
      await world.close();
      await database.drop();
    }
  },
};
