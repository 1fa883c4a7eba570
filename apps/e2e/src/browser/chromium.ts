import { spawnSync } from 'node:child_process';
import { CasefileError } from '@casefile/contracts';
import { installed } from '@casefile/embedded/testing';
import { chromium, type Browser } from 'playwright-core';

/**
 * The first program that exists. The headless shell takes two thirds of the processor time for the same
 * pages.
 */
const PROGRAMS = ['/usr/bin/chromium-headless-shell', '/usr/bin/chromium'];
const PACKAGE = 'chromium-headless-shell';
/** Flags that disable the browser's own network traffic. */
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
 * Starts a headless browser with a separate profile. Installs Debian's package if it is missing and this
 * process is root.
 * @throws CasefileError `chromium_missing` that states what to install.
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
