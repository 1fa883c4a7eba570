// Installs what the lock file names, when it is not there yet. No dependency of its own: it runs before there are any.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { statSync } from 'node:fs';
import { join } from 'node:path';
import { root } from './root.mjs';

const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'];

/** Runs `npm ci` when node_modules is missing or older than the lock file. Returns the seconds it took, 0 when nothing was to do. */
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
  try {
    return (
      statSync(join(root, 'node_modules/.package-lock.json')).mtimeMs >=
      statSync(join(root, 'package-lock.json')).mtimeMs
    );
  } catch {
    return false;
  }
}

function requireNode() {
  const [major, minor] = process.versions.node.split('.').map(Number);
  const fits = (major === 20 && minor >= 19) || (major === 22 && minor >= 12) || major >= 24;
  if (fits) return;
  console.error(`Casefile needs Node 20.19+, 22.12+ or 24+; this is ${process.versions.node}.`);
  process.exit(1);
}
