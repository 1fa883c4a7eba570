import { spawnSync } from 'node:child_process';
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { CasefileError } from '@casefile/contracts';

const PACKAGE = 'debian-policy';
const DOCUMENTS = `usr/share/doc/${PACKAGE}`;
const LOCKED = ['-o', 'DPkg::Lock::Timeout=120', '-o', 'APT::Sandbox::User=root'];

/**
 * Copies Debian's own policy (its text, its PDF and three chapters in HTML) to a folder. It is taken from where Debian
 * installs it, else the package is fetched by apt and unpacked aside: its licence is not ours, so it is in no commit.
 * @throws CasefileError `policy_missing` that says what to install.
 */
export function debianPolicy(folder: string): void {
  const aside = mkdtempSync(join(tmpdir(), 'casefile-policy-'));
  try {
    const installed = join('/', DOCUMENTS);
    copyDocuments(existsSync(join(installed, 'policy.pdf.gz')) ? installed : unpacked(aside), folder);
  } finally {
    rmSync(aside, { recursive: true, force: true });
  }
}

// Not installed: images of Debian leave documentation out when they install.
function unpacked(aside: string): string {
  const runs = (command: string, ...args: string[]): boolean =>
    spawnSync(command, args, { cwd: aside, stdio: 'ignore' }).status === 0;
  const fetches = (): boolean => runs('apt-get', ...LOCKED, 'download', PACKAGE);
  const fetched =
    fetches() || (process.getuid?.() === 0 && runs('apt-get', ...LOCKED, 'update') && fetches());
  const file = readdirSync(aside).find((name) => name.endsWith('.deb'));
  if (fetched && file !== undefined && runs('dpkg-deb', '-x', file, '.')) return join(aside, DOCUMENTS);
  throw new CasefileError(
    'policy_missing',
    `Tests over a real policy need Debian's package ${PACKAGE}: apt-get install ${PACKAGE}`,
  );
}

function copyDocuments(from: string, to: string): void {
  for (const name of ['policy.txt', 'policy.pdf'])
    writeFileSync(join(to, name), gunzipSync(readFileSync(join(from, `${name}.gz`))));
  mkdirSync(join(to, 'chapters'), { recursive: true });
  for (const name of ['ch-binary.html', 'ch-files.html', 'ch-opersys.html'])
    writeFileSync(join(to, 'chapters', name), readFileSync(join(from, 'policy.html', name)));
}
