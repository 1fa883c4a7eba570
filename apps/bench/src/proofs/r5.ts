import { standStill } from '@casefile/e2e/fault-run/stand-still';
import { FIVE_SERVICES, fiveServices } from '@casefile/e2e/testing/five-services';
import { advanceTo } from '@casefile/store/testing';
import { onRecord } from './parts/record.js';
import type { Proof, ProofContext } from './proof.js';

const LEASE_MS = 6_000;

export const r5: Proof = {
  id: 'R5',
  promise: 'A worker that stood still past its lease cannot write.',
  mechanism: 'Each claim raises the epoch of the unit. The store refuses writes with an older epoch.',
  figure: '0 stale writes',
  limitMinutes: 5,
  mutation: {
    what: 'writes are accepted with an old epoch',
    replacements: [
      {
        file: 'libs/store/src/hot/record-rows.ts',
        find: 'u.unit = q.unit and u.epoch = q.epoch',
        replace: 'u.unit = q.unit',
      },
    ],
  },
  run: async (context) => {
    const stale = (await staleWrites()) + (context.short ? 0 : await staleProcess(context));
    return { measured: `${stale} stale writes`, passed: stale === 0 };
  },
};

/** Each kind of write with the lease of a worker whose unit another worker holds. Returns the accepted ones. */
function staleWrites(): Promise<number> {
  return onRecord(async ({ store, bench, passTime }) => {
    const { runId } = await bench.accept();
    const old = await bench.claim(runId, { leaseMs: LEASE_MS });
    await passTime(LEASE_MS + 1);
    await bench.claim(runId, { leaseMs: LEASE_MS });
    const committed = await store.units.commit(bench.commitRequest(old.lease, advanceTo('collect')));
    const lost = await store.units.renew([old.lease], LEASE_MS);
    const intended = await store.interactions.intend(bench.intent(old.lease));
    return Number(committed.kind === 'committed') + Number(lost.length === 0) + Number(intended);
  });
}

/** The same with processes: one is stopped by SIGSTOP, another one decides, the first one continues. */
async function staleProcess({ execArgv }: ProofContext): Promise<number> {
  const system = await fiveServices({
    script: { delayMs: 1_000 },
    settings: {
      lease: { seconds: 2, deadlinePauseMs: 120_000 },
      playbooks: { 'scam-verdict': { deadlineMs: 600_000 } },
    },
    services: [...FIVE_SERVICES, 'reasoner'],
    execArgv,
  });
  try {
    const [standing, other] = system.services.filter(({ name }) => name === 'reasoner');
    if (standing === undefined || other === undefined) throw new Error('there are not two reasoners');
    await Promise.all(system.services.filter((one) => one !== other).map((one) => one.start()));
    const { before, after } = await standStill(system, standing, other);
    return JSON.stringify(before) === JSON.stringify(after) ? 0 : 1;
  } finally {
    await system.close();
  }
}
