import { spawnSync } from 'node:child_process';
import { CasefileError } from '@casefile/contracts';
import { chromium, type Browser } from 'playwright-core';

const PROGRAM = '/usr/bin/chromium';
const INSTALL = ['install', '-y', '--no-install-recommends', 'chromium'];
const QUIET = ['RUNLEVEL=1', 'DEBIAN_FRONTEND=noninteractive'];
/** Another test file may be installing something at the same time. */
const LOCKED = ['-o', 'DPkg::Lock::Timeout=120'];
/** Nothing of its own goes over the network. */
const FLAGS = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
];

/**
 * A headless browser with a profile of its own. Installs Debian's package when it is missing and we are root.
 * @throws CasefileError `chromium_missing` that says what to install.
 */
export async function startChromium(): Promise<Browser> {
  if (!isThere() && !(installs() && isThere())) {
    throw new CasefileError(
      'chromium_missing',
      `Tests of the dashboard need the program ${PROGRAM}: install it (Debian: apt-get install chromium).`,
    );
  }
  return chromium.launch({ executablePath: PROGRAM, args: FLAGS });
}

function isThere(): boolean {
  return spawnSync(PROGRAM, ['--version'], { stdio: 'ignore' }).status === 0;
}

function installs(): boolean {
  const apt = (...args: string[]) =>
    spawnSync('env', [...QUIET, 'apt-get', ...LOCKED, ...args], { stdio: 'ignore' }).status === 0;
  return process.getuid?.() === 0 && apt('update') && apt(...INSTALL);
}
