import { spawnSync } from 'node:child_process';
import { parseAllDocuments } from 'yaml';

const INSTALL = ['install', '-y', '--no-install-recommends', 'kubernetes-client'];
/** Another spec may be installing something at the same moment. */
const LOCKED = ['-o', 'DPkg::Lock::Timeout=120'];

/**
 * The objects that kustomize renders of a folder: by kubectl itself, which needs no cluster for it.
 * @throws Error with kubectl's own words when it refuses the folder.
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

// Debian's package is installed when kubectl is missing and we are root, as CI is.
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
