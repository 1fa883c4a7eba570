import { spawnSync } from 'node:child_process';
import { CasefileError } from '@casefile/contracts';
import { installed } from '@casefile/embedded/testing';
import { chromium, type Browser } from 'playwright-core';

/** The first that is there. Without windows it takes two thirds of the processor for the same pages. */
const PROGRAMS = ['/usr/bin/chromium-headless-shell', '/usr/bin/chromium'];
const PACKAGE = 'chromium-headless-shell';
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
  installed(PACKAGE, () => program() !== undefined);
  const executablePath = program();
  if (executablePath === undefined) {
    throw new CasefileError(
      'chromium_missing',
      `Tests of the dashboard need one of ${PROGRAMS.join(', ')} (Debian: apt-get install ${PACKAGE}).`,
    );
  }
  return chromium.launch({ executablePath, args: FLAGS });
}

function program(): string | undefined {
  return PROGRAMS.find((path) => spawnSync(path, ['--version'], { stdio: 'ignore' }).status === 0);
}
