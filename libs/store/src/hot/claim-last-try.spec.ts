import type { ClaimRequest } from '@casefile/contracts';
import { aClaimRequest } from '@casefile/contracts/testing';
import { testRecord } from '../testing/test-record.js';

const LEASE_MS = 6_000;

const at = testRecord();

describe('last tries', () => {
  it.each(['running', 'due'] as const)(
    'R14 claims a unit for its last try only if asked to: it stays as it is, or is held with its crashes (%s)',
    async (status) => {
      const { bench, store, passTime } = at();
      const { runId } = await bench.accept();
      await bench.claim(runId);
      await passTime(LEASE_MS + 1);
      await bench.claim(runId);
      await passTime(LEASE_MS + 1);
      // Either already at its last try and released, or with a crash that is not counted yet.
      if (status === 'due') await store.units.release((await bench.claim(runId)).lease);
      const ask = (lastTry: ClaimRequest['lastTry']) =>
        store.units.claim({ ...aClaimRequest(runId), lastTry });
      const refused = { kind: 'refused', reason: 'last-try', nudges: [] };
      expect([await ask('refuse'), await ask('refuse')]).toEqual([refused, refused]);
      expect(await ask({ holdMs: 600_000 })).toEqual(refused);
      expect(await ask('take')).toMatchObject({ reason: 'suspended' });
      await passTime(600_001);
      expect(await ask('refuse')).toEqual(refused);
      expect(await ask('take')).toMatchObject({ kind: 'claimed', work: { crashes: 2 } });
    },
  );

  it.each(['refuse', { holdMs: 1_000 }] as const)(
    'R14 claims what has a try left as ever, also where no last try is taken: %j',
    async (lastTry) => {
      const { bench, store, passTime } = at();
      const { runId } = await bench.accept();
      const ask = () => store.units.claim({ ...aClaimRequest(runId), lastTry });
      expect(await ask()).toMatchObject({ kind: 'claimed', work: { crashes: 0 } });
      await passTime(LEASE_MS + 1);
      expect(await ask()).toMatchObject({ kind: 'claimed', work: { crashes: 1 } });
    },
  );
});
