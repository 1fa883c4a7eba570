import { replayAll } from '@casefile/e2e/rerun-run/replay-all';
import { testDatabase } from '@casefile/store/testing';
import type { Proof } from './proof.js';

export const r18: Proof = {
  id: 'R18',
  promise: 'A verdict can be made again from the record.',
  mechanism: 'A replay reads every answer of models and tools by its place and request.',
  figure: '1,000 recorded cases, no model reachable: 1,000 identical verdicts, 0 calls',
  limitMinutes: 20,
  mutation: {
    what: 'a replay reads the answer of another step',
    replacements: [
      {
        file: 'libs/engine/src/rerun/recorded-model.ts',
        find: 'const here = this.work.recording.attemptsAt(this.work.key, step);',
        replace: 'const here = this.work.recording.attemptsAt(this.work.key, step + 1);',
      },
      {
        file: 'libs/engine/src/rerun/recorded-model.ts',
        find: 'const interaction = this.work.recording.answerTo(hash);',
        replace: 'const interaction = null;',
      },
    ],
  },
  run: async ({ short, say }) => {
    const database = await testDatabase();
    try {
      const figures = await replayAll(database.url, short ? 1 : 40, say);
      const { cases, identical, callsReplayed, kinds, differing } = figures;
      for (const line of differing.slice(0, 5)) say(line);
      return {
        measured: `${identical} of ${2 * cases} replays of ${cases} cases of ${kinds} kinds identical, ${callsReplayed} calls`,
        passed: identical === 2 * cases && callsReplayed === 0 && cases >= (short ? 20 : 1_000),
      };
    } finally {
      await database.drop();
    }
  },
};
