// Upgrades from an older version and back, kills it with cases in flight, and reports lost or doubled cases.
// Options: [--from 0b837ea4] [--cases 24] [--model-ms 1500]. Starts the version of the commit --from on a new
// data folder, opens cases of every kind, and kills it with -9. The current version continues on that folder,
// opens more cases and is killed the same way. The older version then continues again. Exit code 1: a case
// was lost or doubled, or a version did not start.
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { startSimulator } from '@casefile/llm-simulator/simulator';
import { Checkout } from '../upgrade-run/check-out.js';
import { endDatabase } from '../upgrade-run/end-database.js';
import { OpenedCases, type CaseCounts } from '../upgrade-run/opened-cases.js';
import { VersionProcess } from '../upgrade-run/version-process.js';

const ROOT = fileURLToPath(new URL('../../../../', import.meta.url));
/** The first version that reads every run in one way. */
const FROM = '0b837ea4';
/** Long deadlines, so that a case in flight at a kill is not decided without its model. */
const SETTINGS = {
  playbooks: { 'scam-verdict': { deadlineMs: 300_000 }, 'message-screening': { deadlineMs: 300_000 } },
};

const option = (name: string, fallback: string): string => {
  const at = process.argv.indexOf(`--${name}`);
  return at < 0 ? fallback : (process.argv[at + 1] ?? fallback);
};
const count = Number(option('cases', '24'));
const dir = mkdtempSync(join(tmpdir(), 'casefile-upgrade-'));
const dataFolder = join(dir, 'data');
const older = join(dir, 'older');
const started: VersionProcess[] = [];
const interrupted = new AbortController();
const simulator = await startSimulator({ script: { delayMs: Number(option('model-ms', '1500')) } });

let ending: Promise<void> | null = null;
const end = (): Promise<void> => (ending ??= endAll());
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const)
  process.once(signal, () => {
    interrupted.abort();
    void end().finally(() => process.exit(130));
  });

let isGood = false;
try {
  isGood = await upgrade();
} catch (error) {
  if (!interrupted.signal.aborted) console.error(error);
} finally {
  await end();
}
process.exit(isGood ? 0 : 1);

async function upgrade(): Promise<boolean> {
  const from = option('from', FROM);
  const checkout = new Checkout(ROOT, interrupted.signal);
  console.log(`older version: ${await checkout.describe(from)}`);
  console.log(`current version: ${await checkout.describe('HEAD')}, with changes that are not committed`);
  await checkout.write(from, older);
  const there = await crossOver('older', older, 'current', ROOT);
  const back = await crossOver('current', ROOT, 'older', older);
  console.table({ 'older, then current': there, 'current, then older': back });
  return [there, back].every(
    ({ accepted, inFlight, lost, doubled, code }) =>
      accepted === count && inFlight > 0 && lost + doubled + code === 0,
  );
}

/** Opens cases on one version, kills it, and lets the other version decide the cases in flight. */
async function crossOver(
  first: string,
  firstFolder: string,
  second: string,
  secondFolder: string,
): Promise<CaseCounts & { code: number }> {
  const cases = new OpenedCases();
  const killed = await start(first, firstFolder);
  await cases.open(killed.ingestUrl, `${first}-a`, Math.floor(count / 2));
  await cases.untilDecided(killed.consoleUrl, 1 / 3);
  // Kills the version while it accepts these cases, so that some requests get no response.
  const others = cases.open(killed.ingestUrl, `${first}-b`, count - Math.floor(count / 2));
  await new Promise((resolve) => setTimeout(resolve, 300));
  await killed.signal('SIGKILL');
  await others;
  cases.killed();
  console.log(`${first}: killed`);
  const next = await start(second, secondFolder);
  await cases.sendAgain(next.ingestUrl);
  const counts = await cases.count(next);
  const code = (await next.signal('SIGTERM')) ?? 1;
  console.log(`${second}: ${counts.decided} of ${counts.accepted} decided, ended with ${code}`);
  return { ...counts, code };
}

async function start(name: string, folder: string): Promise<VersionProcess> {
  const config = join(dir, 'settings.yaml');
  writeFileSync(config, JSON.stringify(SETTINGS));
  interrupted.signal.throwIfAborted();
  const version = await VersionProcess.start(folder, {
    env: {
      CASEFILE_DATA: dataFolder,
      CASEFILE_CONFIG: config,
      LLM_PROVIDER: 'simulator',
      LLM_BASE_URL: simulator.baseUrl,
      RDAP_BASE_URL: 'off',
      DATABASE_URL: '',
      QUEUE_URL: '',
    },
    logFile: join(dir, `${name}.log`),
    started: (version) => void started.push(version),
  });
  await OpenedCases.untilSamples(version.consoleUrl);
  console.log(`${name}: ready`);
  return version;
}

async function endAll(): Promise<void> {
  for (const version of started) await version.end();
  if (started.length > 0) await endDatabase(dataFolder);
  await simulator.close();
  if (isGood || interrupted.signal.aborted) rmSync(dir, { recursive: true, force: true });
  else console.error(`logs and data: ${dir}`);
}
