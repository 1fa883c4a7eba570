import { setTimeout as sleep } from 'node:timers/promises';
import { silentLogger, type LanguageModel } from '@casefile/contracts';
import { equalArms, someAct } from '@casefile/e2e/rollout/equal-arms';
import { instantModel } from '@casefile/e2e/testing/instant-model';
import { settingsCopyOf } from '@casefile/e2e/testing/settings-copy-of';
import { createPostgresStore } from '@casefile/store';
import { median, percentile, type Row } from './report.js';
import type { Stores } from './rows.js';
import { startSpine } from './spine.js';
import { judgePaced } from './with-bulk.js';

/** Duration of an answer of the live model. */
const MODEL_MS = 300;
const ROUNDS = 5;
/** A process reads a started or stopped experiment within this time. */
const IN_FORCE_MS = 3_000;
const LANE = 'select lane from runs where id = $1';
const UUID_LENGTH = 36;

/**
 * Compares the duration of live cases with and without a shadow experiment on each of them, whose model never
 * answers. Rounds alternate, with all services in one process (S4-50).
 */
export async function withShadow(stores: Stores, cases: number): Promise<Row[]> {
  const databaseUrl = await stores.newDatabase();
  const store = createPostgresStore({ databaseUrl, poolSize: 6, log: silentLogger });
  let unanswered = 0;
  const answers = instantModel(MODEL_MS);
  const model: LanguageModel = {
    ...answers,
    complete: async (request, call) => {
      const [run] = await store.database.rows<{ lane: string }>(LANE, [call.callKey.slice(0, UUID_LENGTH)]);
      if (run?.lane !== 'shadow') return answers.complete(request, call);
      unanswered += 1;
      return new Promise((_, reject) =>
        call.signal.addEventListener('abort', () => reject(call.signal.reason)),
      );
    },
  };
  const rollout = settingsCopyOf(store);
  await rollout.start();
  const spine = await startSpine(databaseUrl, stores.redisUrl, model, {}, { rollout });
  try {
    await judgePaced(spine, 20, 0);
    const rounds: { alone: number; loaded: number }[] = [];
    for (let round = 1; round <= ROUNDS; round += 1) {
      const alone = await judgePaced(spine, cases, round * 1_000_000);
      // With another model, no recorded answer replaces a call.
      const arms = [
        { name: 'control', settings: {} },
        { name: 'new', settings: { model: 'other' } },
      ];
      const { id } = await store.experiments.create({ ...equalArms('scam-verdict'), arms });
      await store.experiments.start(id, someAct());
      await sleep(IN_FORCE_MS);
      const loaded = await judgePaced(spine, cases, round * 1_000_000 + 500_000);
      await store.experiments.stop(id, someAct());
      await sleep(IN_FORCE_MS);
      rounds.push({ alone: percentile(alone, 95), loaded: percentile(loaded, 95) });
    }
    if (unanswered === 0) throw new Error('no shadow run asked the hanging model');
    const of = (value: (round: (typeof rounds)[number]) => number) => median(rounds.map(value));
    return [
      {
        name: `live cases with a shadow model that hangs against none, p95, median of ${ROUNDS} rounds`,
        figure: `${of(({ loaded }) => loaded).toFixed(0)} ms, alone ${of(({ alone }) => alone).toFixed(0)} ms, ${unanswered} calls hung`,
        ratio: of(({ alone, loaded }) => loaded / alone),
        wanted: '<= 1.1',
      },
    ];
  } finally {
    await spine.stop();
    await rollout.stop();
    await store.close();
  }
}
