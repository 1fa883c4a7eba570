import { randomUUID } from 'node:crypto';
import { consoleWith } from '@casefile/console/console';
import { instantModel } from '@casefile/e2e/testing/instant-model';
import { worldOn } from '@casefile/e2e/testing/world';
import { startService } from '@casefile/runtime';
import { testDatabase } from '@casefile/store/testing';
import { settled } from './parts/system.js';
import type { Proof } from './proof.js';

export const r15: Proof = {
  id: 'R15',
  promise: 'A dead letter that is redriven twice is done once.',
  mechanism: 'A redriven alert has the key of its dead letter. A redriven run must be quarantined or parked.',
  figure: '1,000 dead letters, redriven twice at the same time: 1,000 done once',
  limitMinutes: 10,
  mutation: {
    what: 'a redriven alert has a new key each time',
    replacements: [
      {
        file: 'apps/console/src/redrive-dead-letters.ts',
        find: 'ownKey: `dead-letter:${id}`,',
        replace: 'ownKey: `dead-letter:${id}:${globalThis.crypto.randomUUID()}`,',
      },
    ],
  },
  run: async ({ short }) => {
    const count = short ? 40 : 1_000;
    const database = await testDatabase();
    const world = await worldOn(database.url, 'postgres', instantModel(), { LOG_LEVEL: 'fatal' });
    const service = await startService(consoleWith({ dashboard: '/nowhere' }), world.platform);
    try {
      for (let n = 0; n < count; n += 1)
        await world.platform.store.deadLetters.bury({
          id: randomUUID(),
          reasonCode: 'not_ready',
          message: 'the installation was not published yet',
          payload: { playbook: 'message-screening', text: `Pay the fee of case ${n} now` },
        });
      const redrive = async (): Promise<number> => {
        const response = await fetch(`${service.url}/api/v1/dead-letters/redrive`, {
          method: 'POST',
          headers: { 'content-type': 'application/json' },
          body: JSON.stringify({ all: true }),
        });
        return response.status;
      };
      const answers = await Promise.all([redrive(), redrive()]);
      const { cases, alerts, decided, buried } = await settled(database.url, 180_000);
      return {
        measured: `${cases} cases of ${count} dead letters, ${decided} decided, ${buried} left`,
        passed:
          [cases, alerts, decided].every((n) => n === count) &&
          buried === 0 &&
          answers.every((n) => n === 200),
      };
    } finally {
      await service.close();
      await world.close();
      await database.drop();
    }
  },
};
