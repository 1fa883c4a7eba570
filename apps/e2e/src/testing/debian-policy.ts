import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { CasefileError } from '@casefile/contracts';
import { temporaryFolder } from '@casefile/contracts/testing';
import { downloaded } from '@casefile/embedded/testing';

const PACKAGE = 'debian-policy';
const DOCUMENTS = `usr/share/doc/${PACKAGE}`;

/**
 * Copies Debian's own policy (its text, its PDF and three chapters in HTML) to a folder. Uses the installed
 * package, or downloads and unpacks it with apt. Its licence differs from ours, so it is in no commit.
 * @throws CasefileError `policy_missing` that states what to install.
 */
export function debianPolicy(folder: string): void {
  const aside = temporaryFolder('policy');
  const installed = join('/', DOCUMENTS);
  copyDocuments(existsSync(join(installed, 'policy.pdf.gz')) ? installed : unpacked(aside), folder);
}

// Unpacks the package without installing it, because Debian images skip documentation on installation.
function unpacked(aside: string): string {
  const unpacks = (file: string): boolean =>
    spawnSync('dpkg-deb', ['-x', file, '.'], { cwd: aside, stdio: 'ignore' }).status === 0;
  const isFetched = downloaded(PACKAGE, aside);
  const file = readdirSync(aside).find((name) => name.endsWith('.deb'));
  if (isFetched && file !== undefined && unpacks(file)) return join(aside, DOCUMENTS);
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
