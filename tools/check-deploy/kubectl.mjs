import { spawnSync } from 'node:child_process';
import { parseAllDocuments } from 'yaml';

const INSTALL = ['install', '-y', '--no-install-recommends', 'kubernetes-client'];
/** Another spec may install packages at the same time. */
const LOCKED = ['-o', 'DPkg::Lock::Timeout=120'];

/**
 * Returns the objects that kustomize renders for a folder. kubectl does this without a cluster.
 * @throws Error with kubectl's message if it rejects the folder.
 */
export function renderKustomization(folder) {
  needsKubectl();
  const run = spawnSync('kubectl', ['kustomize', folder], { encoding: 'utf8' });
  if (run.status !== 0) throw new Error(`kubectl kustomize ${folder}: ${run.stderr}`);
  return parseAllDocuments(run.stdout).map((document) => {
    if (document.errors.length > 0) throw document.errors[0];
    return document.toJS();
  });
}

// If kubectl is missing, Debian's package is installed if this process is root, as in CI.
function needsKubectl() {
  if (isThere() || (installs() && isThere())) return;
  throw new Error('k8s/ is rendered by kubectl: install it (Debian: apt-get install kubernetes-client)');
}

function isThere() {
  return spawnSync('kubectl', ['version', '--client'], { stdio: 'ignore' }).status === 0;
}

function installs() {
  const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' };
  const apt = (...args) => spawnSync('apt-get', [...LOCKED, ...args], { stdio: 'ignore', env }).status === 0;
  return process.getuid?.() === 0 && apt('update') && apt(...INSTALL);
}
