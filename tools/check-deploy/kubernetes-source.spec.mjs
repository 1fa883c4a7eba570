import { copyFileSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse, stringify } from 'yaml';
import { root } from '../root.mjs';
import { ofKind } from './containers.mjs';
import { renderKustomization } from './kubectl.mjs';
import { manifestProblems } from './manifest-problems.mjs';

const FOLDER = join(root, 'k8s/kubernetes-source');
const TOKEN = 'SOURCE_KUBERNETES_TOKEN';
const objects = renderKustomization(FOLDER);

/** Returns what requests of the data source query, as `group/resource`. */
function queried() {
  const { requests } = parse(readFileSync(join(root, 'config/data-sources/kubernetes.yaml'), 'utf8'), {
    merge: true,
  });
  return Object.values(requests).map(({ get }) => {
    const [, group = '', path] = /^\/(?:api|apis\/([a-z.]+))\/v1\/(?:namespaces\/\{namespace\}\/)?(.*)$/.exec(
      get,
    );
    const [resource, name, part] = path.split('/');
    return `${group}/${[resource, ...(name === undefined ? [] : [part])].join('/')}`;
  });
}

/** Returns the deployments of the base with the patch of the collector, as kustomize and `kubectl patch` apply it. */
function patchedDeployments() {
  mkdirSync(join(root, 'node_modules/.cache'), { recursive: true });
  const folder = mkdtempSync(join(root, 'node_modules/.cache/kubernetes-source-'));
  try {
    copyFileSync(join(FOLDER, 'collector-patch.yaml'), join(folder, 'collector-patch.yaml'));
    const overlay = { resources: ['../../../k8s'], patches: [{ path: 'collector-patch.yaml' }] };
    writeFileSync(join(folder, 'kustomization.yaml'), stringify(overlay));
    return ofKind(renderKustomization(folder), 'Deployment');
  } finally {
    rmSync(folder, { recursive: true });
  }
}

describe('k8s/kubernetes-source', () => {
  it('is valid, and its account may get and list what the data source queries, and nothing else', () => {
    expect(objects.flatMap(manifestProblems)).toEqual([]);
    const [{ rules }] = ofKind(objects, 'ClusterRole');
    const allowed = rules.flatMap(({ apiGroups: [group], resources }) =>
      resources.map((resource) => `${group}/${resource}`),
    );
    expect([...new Set(queried())].sort()).toEqual(allowed.sort());
    expect([...new Set(rules.flatMap(({ verbs }) => verbs))].sort()).toEqual(['get', 'list']);
    const [{ roleRef, subjects }] = ofKind(objects, 'ClusterRoleBinding');
    const [{ metadata }] = ofKind(objects, 'ServiceAccount');
    expect([roleRef.name, subjects[0].name, subjects[0].namespace]).toEqual([
      ofKind(objects, 'ClusterRole')[0].metadata.name,
      metadata.name,
      metadata.namespace,
    ]);
  });

  it('gives its token to the evidence collector alone', () => {
    const patched = patchedDeployments();
    expect(patched.flatMap(manifestProblems)).toEqual([]);
    const [{ metadata: secret }] = ofKind(objects, 'Secret');
    const given = patched.filter((deployment) => JSON.stringify(deployment).includes(secret.name));
    expect(given.map(({ metadata }) => metadata.name)).toEqual(['evidence-collector']);
    const { env, volumeMounts } = given[0].spec.template.spec.containers[0];
    expect(env).toContainEqual({
      name: TOKEN,
      valueFrom: { secretKeyRef: { name: secret.name, key: 'token' } },
    });
    const authority = env.find(({ name }) => name === 'NODE_EXTRA_CA_CERTS').value;
    expect(volumeMounts.some(({ mountPath }) => authority.startsWith(`${mountPath}/`))).toBe(true);
  });
});
