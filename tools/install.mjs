// Installs the packages of the lock file if they are not installed yet. This file has no dependencies,
// because it runs before any are installed.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { root } from './root.mjs';

/** Time between two lines of progress. A slow machine needs minutes for the installation. */
const PROGRESS_MS = 10_000;
const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'];

/**
 * Runs `npm ci` if node_modules is missing or differs from the lock file. Returns the seconds it took, or 0
 * if nothing was installed.
 */
export async function install() {
  requireNode();
  if (isInstalled()) return 0;
  const started = Date.now();
  const { count } = installedPackages(root);
  console.log(`installing ${count} packages (npm ci) ...`);
  const progress = setInterval(() => {
    const { present } = installedPackages(root);
    console.log(`  ${present} of ${count} packages, ${Math.round((Date.now() - started) / 1000)} s`);
  }, PROGRESS_MS);
  const run = spawn('npm', ['ci', '--no-progress', '--loglevel=error'], { cwd: root, stdio: 'inherit' });
  const passOn = (signal) => run.kill(signal);
  for (const signal of SIGNALS) process.on(signal, passOn);
  const [code, endedBy] = await once(run, 'close');
  clearInterval(progress);
  for (const signal of SIGNALS) process.off(signal, passOn);
  if (endedBy !== null) process.kill(process.pid, endedBy);
  if (code !== 0) {
    console.error('npm ci failed: see above');
    process.exit(1);
  }
  return (Date.now() - started) / 1000;
}

/**
 * Returns the number of packages that the lock file of a folder requires, and how many of them are in `node_modules`. Packages
 * for other systems count in neither.
 */
export function installedPackages(folder) {
  const { packages } = JSON.parse(readFileSync(join(folder, 'package-lock.json'), 'utf8'));
  const required = requiredPackages(packages);
  const present = required.filter(([path]) => existsSync(join(folder, path, 'package.json'))).length;
  return { count: required.length, present };
}

function isInstalled() {
  const [installed, lockFile] = [
    join(root, 'node_modules/.package-lock.json'),
    join(root, 'package-lock.json'),
  ];
  try {
    return statSync(installed).mtimeMs >= statSync(lockFile).mtimeMs || hasPackages(installed, lockFile);
  } catch {
    return false;
  }
}

/**
 * Returns whether the packages are the same. Git may rewrite the lock file with equal packages. Optional
 * packages may be for other systems.
 */
function hasPackages(installed, lockFile) {
  const packagesOf = (file) => JSON.parse(readFileSync(file, 'utf8')).packages;
  const present = packagesOf(installed);
  return requiredPackages(packagesOf(lockFile)).every(
    ([path, { version }]) => present[path]?.version === version,
  );
}

/** Returns the packages of a lock file that every system needs, with their paths. */
function requiredPackages(packages) {
  return Object.entries(packages).filter(
    ([path, { optional, link }]) => path.startsWith('node_modules/') && !optional && !link,
  );
}

function requireNode() {
  const [major, minor] = process.versions.node.split('.').map(Number);
  const fits = (major === 20 && minor >= 19) || (major === 22 && minor >= 12) || major >= 24;
  if (fits) return;
  console.error(`Casefile needs Node 20.19+, 22.12+ or 24+; this is ${process.versions.node}.`);
  process.exit(1);
}
