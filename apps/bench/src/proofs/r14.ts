import { setTimeout as pause } from 'node:timers/promises';
import { aClaimRequest } from '@casefile/contracts/testing';
import { fiveServices, type FiveServices } from '@casefile/e2e/testing/five-services';
import { PATIENT } from '@casefile/e2e/testing/patient-settings';
import { rowsIn } from '@casefile/e2e/testing/run-casefile';
import { serviceProcesses, type ServiceProcess } from '@casefile/e2e/testing/service-processes';
import { until } from '@casefile/contracts/testing';
import { startSimulator, type Simulator } from '@casefile/llm-simulator/simulator';
import { percentile } from './parts/faults.js';
import { onRecord } from './parts/record.js';
import { alertNumber } from './parts/system.js';
import type { Proof, ProofContext } from './proof.js';

const LEASE_MS = 6_000;
/** Other alerts per load, so many that those in progress at three deaths are fewer than 5 %. */
const OTHERS = 600;

export const r14: Proof = {
  id: 'R14',
  promise: 'An alert that kills its worker is quarantined alone.',
  mechanism: 'Crashes are counted per step. The third within 72 h quarantines the run.',
  figure: "only it is quarantined, after 3 crashes; the others' p95 <= 1.1 x",
  limitMinutes: 10,
  mutation: {
    what: 'crashes are not added up',
    replacements: [
      {
        file: 'libs/contracts/src/units/claim-rules.ts',
        find: 'const crashes = counts ? unit.crashes + 1 : 1;',
        replace: 'const crashes = 1;',
      },
    ],
  },
  run: async (context) => {
    const { crashes, others } = await onTheRecord();
    const isAlone = crashes === 3 && others === 0;
    const measured = `quarantined after ${crashes} crashes, ${others} others quarantined`;
    if (context.short || !isAlone) return { measured, passed: isAlone };
    const { quarantined, before, beside } = await withProcesses(context);
    const ratio = beside / before;
    return {
      measured: `${measured}; with processes: ${quarantined} quarantined, p95 of the others ${ratio.toFixed(2)} x (${Math.round(before)} ms)`,
      passed: quarantined === 1 && ratio <= 1.1,
    };
  },
};

/** Claims until the run is quarantined, each claim after the lease of a dead worker, next to other runs. */
function onTheRecord(): Promise<{ crashes: number; others: number }> {
  return onRecord(async ({ store, bench, passTime }) => {
    const poison = await bench.accept();
    const beside = await Promise.all([1, 2, 3].map(() => bench.accept()));
    let crashes = 0;
    for (; crashes < 6; crashes += 1) {
      const claimed = await store.units.claim(aClaimRequest(poison.runId));
      if (claimed.kind !== 'claimed') break;
      await passTime(LEASE_MS + 1);
    }
    const statuses = await Promise.all(
      beside.map(async ({ runId }) => (await store.record.getRun(runId))?.status),
    );
    return { crashes, others: statuses.filter((status) => status === 'quarantined').length };
  });
}

/** A reasoner and the model that only it asks. */
interface Reasoner {
  process: ServiceProcess;
  simulator: Simulator;
}

/** The poisonous alert and others, in real processes. Its worker is killed whenever it has asked its model. */
async function withProcesses({ execArgv, say }: ProofContext) {
  const script = { delayMs: 500 };
  const settings = { ...PATIENT, calls: { probeAtStart: false } };
  const system = await fiveServices({ script, settings, execArgv });
  const simulator = await startSimulator({ script });
  const { databaseUrl, queueUrl, logFile, configFile, folder } = system;
  const env = {
    LLM_PROVIDER: 'simulator',
    LLM_BASE_URL: simulator.baseUrl,
    CASEFILE_CONFIG: configFile,
    CASEFILE_DATA: folder,
  };
  const [second] = await serviceProcesses(['reasoner'], { databaseUrl, queueUrl, logFile, env, execArgv });
  if (second === undefined) throw new Error('there is no second reasoner');
  try {
    await system.start();
    await second.start();
    const reasoners: Reasoner[] = [
      { process: system.service('reasoner'), simulator: system.simulator },
      { process: second, simulator },
    ];
    await load(system, 'warm-up');
    const before = await load(system, 'before');
    say(`p95 without the poisonous alert: ${Math.round(before)} ms`);
    const [beside] = await Promise.all([load(system, 'beside'), poison(system, reasoners, say)]);
    const count = `select count(*)::int as n from runs where status = 'quarantined'`;
    const quarantined = async (): Promise<number> => Number((await rowsIn(databaseUrl, count))[0]?.['n']);
    await until('the poisonous run is quarantined', async () => (await quarantined()) > 0);
    return { quarantined: await quarantined(), before, beside };
  } finally {
    await second.end();
    await simulator.close();
    await system.close();
  }
}

/** Posts the alert, and kills the reasoner that asks its model about it, three times. */
async function poison(
  system: FiveServices,
  reasoners: readonly Reasoner[],
  say: (line: string) => void,
): Promise<void> {
  const poisonousCalls = ({ simulator }: Reasoner): number =>
    simulator.requests().filter(({ body }) => JSON.stringify(body).includes('poisonous')).length;
  await pause(2_000);
  await system.alert({ playbook: 'scam-verdict', text: 'A poisonous text', collect: false });
  let callsBefore = reasoners.map(() => 0);
  for (let death = 1; death <= 3; death += 1) {
    const victim = (): Reasoner | undefined =>
      reasoners.find((one, i) => poisonousCalls(one) > (callsBefore[i] ?? 0));
    await until(`call ${death} of the poisonous alert`, () => victim() !== undefined, 5);
    const { process } = victim()!;
    await process.signal('SIGKILL');
    callsBefore = reasoners.map(poisonousCalls);
    await process.start();
    say(`death ${death}`);
  }
}

/** Posts ten alerts per second. Returns the time below which 95 % of them were decided, in milliseconds. */
async function load(system: FiveServices, name: string): Promise<number> {
  const caseIds: string[] = [];
  const sent: Promise<unknown>[] = [];
  for (let n = 0; n < OTHERS; n += 1) {
    const alert = { ...alertNumber(`${name} ${n}`), collect: false };
    sent.push(system.alert(alert).then((caseId) => caseIds.push(caseId)));
    await pause(100);
  }
  await Promise.all(sent);
  const times = `
    select extract(epoch from v.created_at - r.created_at) * 1000 as ms from runs r
    left join artifacts v on v.run_id = r.id and v.artifact = 'verdict'
    where r.case_id in (${caseIds.map((id) => `'${id}'`).join(', ')})`;
  const read = async (): Promise<unknown[]> =>
    (await rowsIn(system.databaseUrl, times)).map((row) => row['ms']);
  await until(`the alerts ${name} are decided`, async () => (await read()).every((ms) => ms !== null), 250);
  return percentile((await read()).map(Number), 0.95);
}
