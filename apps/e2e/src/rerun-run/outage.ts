import { consoleWith } from '@casefile/console/console';
import { startSimulator } from '@casefile/llm-simulator/simulator';
import { startService } from '@casefile/runtime';
import { configuredWorld, type ConfiguredWorld } from '../testing/configured-world.js';
import { rowsIn, runCasefile } from '../testing/run-casefile.js';

export interface OutageFigures {
  cases: number;
  /** Verdicts without a model, during its outage. */
  degraded: number;
  outageSeconds: number;
  /** Last line that the command printed. */
  line: string;
  /**
   * Numbers of these cases that the model judged afterwards, that were applied, and that were delivered with
   * the verdict that they replace.
   */
  byModel: number;
  applied: number;
  handedOut: number;
  /** Delivered verdicts that replace a verdict a second time, or that are more than one for a run. */
  twice: number;
  seconds: number;
}

const WITHIN_MS = 300_000;
/** Time for which a circuit stays open, as configured below. */
const OPEN_MS = 1_000;

/**
 * A provider fails while this number of alerts comes in, and recovers. One command judges the degraded cases
 * again and applies the result. The outage lasts until rules have judged all alerts. Circuits open for a
 * second instead of minutes.
 */
export async function outage(
  cases: number,
  say: (line: string) => void = () => undefined,
): Promise<OutageFigures> {
  const simulator = await startSimulator({ script: { then: { kind: 'status', status: 503 } } });
  const yaml =
    'calls: { firstWaitMs: 20, circuit: { openSeconds: 1, pauseSeconds: 1, longestSeconds: 1 } }\n';
  const llm = { LLM_PROVIDER: 'simulator', LLM_BASE_URL: simulator.baseUrl };
  const world = await configuredWorld(yaml, llm);
  const service = await startService(consoleWith({ dashboard: '/nowhere' }), world.platform);
  const url = world.platform.config.env.DATABASE_URL!;
  const count = async (query: string) => Number((await rowsIn(url, query))[0]!['n']);
  try {
    const began = performance.now();
    const ids: string[] = [];
    for (let i = 0; i < cases; i += 1) {
      const text = `Parcel ${i} is held: pay the fee at http://fee-${i}.example/pay`;
      ids.push((await world.accept({ playbook: 'scam-verdict', text, collect: false })).caseId);
    }
    await world.ended(ids, WITHIN_MS);
    const outageSeconds = (performance.now() - began) / 1000;
    simulator.setScript({});
    // The next permitted call finds that the provider has recovered.
    for (let probe = 0; (await isOut(world)) && probe < 100; probe += 1) {
      await pause(OPEN_MS * 1.5);
      const text = `Is it back? ${probe}`;
      const { caseId } = await world.accept({ playbook: 'scam-verdict', text, collect: false });
      await world.ended([caseId], WITHIN_MS);
    }
    const degraded = await count('select count(*) as n from runs where degraded');
    say(`${degraded} verdicts were degraded in ${outageSeconds.toFixed(1)} s; the provider is back`);
    const since = `${Math.ceil((performance.now() - began) / 60_000)}m`;
    const started = performance.now();
    const { lines } = await runCasefile(
      ...['reprocess', '--degraded-since', since, '--apply', '--console', service.url],
    );
    const handed = `from deliveries where replaces is not null and delivered_at is not null`;
    const until = Date.now() + WITHIN_MS;
    const replacements = await count(`select count(*) as n from deliveries where replaces is not null`);
    while ((await count(`select count(*) as n ${handed}`)) < replacements && Date.now() < until)
      await pause(200);
    return {
      cases,
      degraded,
      outageSeconds,
      line: lines[0] ?? '',
      byModel: await count(
        `select count(*) as n from cases c join runs r on r.id = c.leading_run_id where r.lane = 'batch' and c.method = 'llm'`,
      ),
      applied: await count(`select count(*) as n from batch_members where state = 'applied'`),
      handedOut: await count(`select count(distinct replaces) as n ${handed}`),
      twice:
        (await count(`select count(*) as n ${handed}`)) -
        (await count(`select count(distinct replaces) as n ${handed}`)),
      seconds: (performance.now() - started) / 1000,
    };
  } finally {
    await service.close();
    await world.close();
    await simulator.close();
  }
}

const isOut = async ({ platform }: ConfiguredWorld) =>
  (await platform.store.providers.states()).some(({ state }) => state !== 'closed');
const pause = (ms: number) => new Promise<void>((resolve) => setTimeout(resolve, ms));
