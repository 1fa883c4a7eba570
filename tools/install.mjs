// Installs the packages of the lock file if they are not installed yet. This file has no dependencies,
// because it runs before any are installed.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { root } from './root.mjs';

const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'];

/**
 * Runs `npm ci` if node_modules is missing or differs from the lock file. Returns the seconds it took, or 0
 * if nothing was installed.
 */
export async function install() {
  requireNode();
  if (isInstalled()) return 0;
  const started = Date.now();
  console.log('installing dependencies (npm ci) ...');
  const run = spawn('npm', ['ci', '--no-progress', '--loglevel=error'], { cwd: root, stdio: 'inherit' });
  const passOn = (signal) => run.kill(signal);
  for (const signal of SIGNALS) process.on(signal, passOn);
  const [code, endedBy] = await once(run, 'close');
  for (const signal of SIGNALS) process.off(signal, passOn);
  if (endedBy !== null) process.kill(process.pid, endedBy);
  if (code !== 0) {
    console.error('npm ci failed: see above');
    process.exit(1);
  }
  return (Date.now() - started) / 1000;
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
  return Object.entries(packagesOf(lockFile))
    .filter(([path, { optional, link }]) => path.startsWith('node_modules/') && !optional && !link)
    .every(([path, { version }]) => present[path]?.version === version);
}

function requireNode() {
  const [major, minor] = process.versions.node.split('.').map(Number);
  const fits = (major === 20 && minor >= 19) || (major === 22 && minor >= 12) || major >= 24;
  if (fits) return;
  console.error(`Casefile needs Node 20.19+, 22.12+ or 24+; this is ${process.versions.node}.`);
  process.exit(1);
}
