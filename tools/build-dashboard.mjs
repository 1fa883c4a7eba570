// Bundles apps/dashboard into its dist with Vite if one of its sources is newer than the bundle. Nothing is
// downloaded.
import { spawnSync } from 'node:child_process';
import { readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { root } from './root.mjs';

/** Sources of the bundle, besides the packages named in package.json. */
const SOURCES = ['src', 'public', 'index.html', 'vite.config.ts', 'package.json'];
const TESTS = /\.(spec|test)\.tsx?$/;

/** Bundles the dashboard in `dir`. Returns the number of written files: 0 if the bundle is current. */
export async function buildDashboard(dir) {
  if (await isCurrent(dir)) return 0;
  // A separate process: NODE_ENV of this process (for example `test`) must not decide which React is bundled.
  const run = spawnSync(
    process.execPath,
    [join(root, 'node_modules/vite/bin/vite.js'), 'build', dir, '--logLevel', 'warn'],
    { cwd: dir, env: { ...process.env, NODE_ENV: 'production' }, encoding: 'utf8' },
  );
  if (run.status !== 0) throw new Error(`the dashboard could not be bundled:\n${run.stdout}${run.stderr}`);
  const files = await readdir(join(dir, 'dist'), { recursive: true, withFileTypes: true });
  return files.filter((file) => file.isFile()).length;
}

async function isCurrent(dir) {
  const built = await timeOf(join(dir, 'dist/index.html'));
  if (built === null) return false;
  const times = await Promise.all(SOURCES.map((name) => newest(join(dir, name))));
  return Math.max(...times) <= built;
}

// A deleted file changes the time of its folder.
async function newest(path) {
  const own = (await timeOf(path)) ?? 0;
  if (!(await stat(path)).isDirectory()) return TESTS.test(path) ? 0 : own;
  const names = await readdir(path);
  return Math.max(own, ...(await Promise.all(names.map((name) => newest(join(path, name))))));
}

async function timeOf(path) {
  const stats = await stat(path).catch((error) => {
    if (error.code === 'ENOENT') return null;
    throw error;
  });
  return stats?.mtimeMs ?? null;
}
