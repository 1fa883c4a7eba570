import { readdirSync, readFileSync } from 'node:fs';
import { BlockList } from 'node:net';
import { join } from 'node:path';
import { parse } from 'yaml';
import { kinds } from '../../libs/kinds/shipped/src/loaded.js';
import { STOP_WITHIN_MS } from '../../libs/runtime/src/compose/shutdown.js';
import { readConfig } from '../../libs/runtime/src/config/read-config.js';
import { root } from '../root.mjs';
import { EXPECTED_SECRETS, mountedFiles, ofKind } from './containers.mjs';
import { renderKustomization } from './kubectl.mjs';
import { manifestProblems } from './manifest-problems.mjs';

const folder = join(root, 'k8s');
const objects = renderKustomization(folder);
const deployments = ofKind(objects, 'Deployment');
const withNames = (list) =>
  list.map((object) => [`${object.kind} ${object.metadata.name.replace(/-[a-z0-9]{10}$/, '')}`, object]);

describe('k8s, rendered, by the schemas of Kubernetes', () => {
  it.each(withNames(objects))('%s is valid', (_name, object) => {
    expect(manifestProblems(object)).toEqual([]);
  });

  it.each([
    [
      'an unknown field of a container',
      (pod) => (pod.containers[0].readynessProbe = {}),
      '/readynessProbe is not a field',
    ],
    [
      'an unknown field of the pod',
      (pod) => (pod.terminationGracePeriod = 45),
      '/terminationGracePeriod is not a field',
    ],
    [
      'an unknown field in a list',
      (pod) => (pod.containers[0].env[0].valeu = 'x'),
      '/env/0/valeu is not a field',
    ],
    ['a wrong type', (pod) => (pod.terminationGracePeriodSeconds = '45s'), 'terminationGracePeriodSeconds'],
    ['a missing field', (pod) => delete pod.containers[0].name, 'name'],
    ['no quantity', (pod) => (pod.containers[0].resources.limits.memory = 'plenty'), 'memory'],
    ['an unknown word', (pod) => (pod.containers[0].imagePullPolicy = 'Sometimes'), 'imagePullPolicy'],
  ])('a deployment with %s would not be', (_what, spoil, problem) => {
    const spoilt = structuredClone(deployments[0]);
    spoil(spoilt.spec.template.spec);
    expect(manifestProblems(spoilt).join('\n')).toContain(problem);
  });

  it('an unknown field at the top, and an unknown kind, would not be', () => {
    expect(manifestProblems({ ...deployments[0], spek: {} })).toEqual(['/spek is not a field']);
    expect(manifestProblems({ apiVersion: 'apps/v1', kind: 'Deploymint' })).toEqual([
      'no schema for apps/v1 Deploymint',
    ]);
  });
});

describe('k8s', () => {
  it('leaves out no file of the folder', () => {
    const { resources, configMapGenerator } = parse(readFileSync(join(folder, 'kustomization.yaml'), 'utf8'));
    const used = [...resources, ...configMapGenerator.flatMap((map) => map.files ?? [])];
    const there = readdirSync(folder).filter(
      (file) => file.endsWith('.yaml') && file !== 'kustomization.yaml',
    );
    expect(there.sort()).toEqual(used.sort());
  });

  it('puts everything into its namespace', () => {
    const [namespace] = ofKind(objects, 'Namespace');
    const others = objects.filter((object) => object !== namespace);
    expect(new Set(others.map((object) => object.metadata.namespace))).toEqual(
      new Set([namespace.metadata.name]),
    );
  });

  it('has one service for each deployment, with its port and only its pods', () => {
    const found = ofKind(objects, 'Service').map(({ metadata, spec }) => {
      const chosen = deployments.filter((deployment) =>
        matches(spec.selector, deployment.spec.template.metadata.labels),
      );
      const ports = chosen.flatMap((deployment) => deployment.spec.template.spec.containers[0].ports);
      const target = ports.find((port) => port.name === spec.ports[0].targetPort);
      return [
        metadata.name,
        chosen.map((deployment) => deployment.metadata.name),
        target?.containerPort === spec.ports[0].port,
      ];
    });
    const names = deployments.map((deployment) => deployment.metadata.name);
    expect(found.sort()).toEqual(names.sort().map((name) => [name, [name], true]));
  });

  it('K1 K2 sets the number of pods only where no ScaledObject does', () => {
    const scaled = renderKustomization(join(folder, 'scaling')).map(({ spec }) => spec.scaleTargetRef.name);
    const fixed = deployments.filter(({ spec }) => spec.replicas !== undefined);
    expect(fixed.map(({ metadata, spec }) => [metadata.name, spec.replicas]).sort()).toEqual([
      ['console', 1],
      ['ingest', 2],
    ]);
    expect([...scaled, ...fixed.map(({ metadata }) => metadata.name)].sort()).toEqual(
      deployments.map(({ metadata }) => metadata.name).sort(),
    );
  });

  it('K1 lets a drain take one pod of each service at a time, and spreads pods over nodes', () => {
    const budgets = ofKind(objects, 'PodDisruptionBudget');
    for (const { metadata, spec } of deployments) {
      const own = budgets.filter((budget) =>
        matches(budget.spec.selector.matchLabels, spec.template.metadata.labels),
      );
      expect(own.map((budget) => [budget.metadata.name, budget.spec.maxUnavailable])).toEqual([
        [metadata.name, 1],
      ]);
      const [spread] = spec.template.spec.topologySpreadConstraints;
      expect(spread.labelSelector.matchLabels).toEqual(spec.selector.matchLabels);
    }
  });

  it('K1 keeps a port open after a pod is told to stop, within its grace period', () => {
    for (const { spec } of deployments) {
      const { containers, terminationGracePeriodSeconds } = spec.template.spec;
      const [program, seconds] = containers[0].lifecycle.preStop.exec.command;
      expect(program).toBe('sleep');
      expect(Number(seconds)).toBeGreaterThanOrEqual(5);
      expect(Number(seconds) + STOP_WITHIN_MS / 1_000).toBeLessThan(terminationGracePeriodSeconds);
    }
  });

  it('K6 limits by example what services reach: DNS, stores, and public HTTPS for those that call outside', () => {
    const policies = renderKustomization(join(folder, 'egress'));
    for (const policy of policies) expect(manifestProblems(policy)).toEqual([]);
    const [models, outside, stores] = policies.sort((a, b) => a.metadata.name.localeCompare(b.metadata.name));
    for (const { spec } of deployments)
      expect(matches(stores.spec.podSelector.matchLabels, spec.template.metadata.labels)).toBe(true);
    const callers = outside.spec.podSelector.matchExpressions[0].values;
    expect(callers.toSorted()).toEqual(['critic-writer', 'decision', 'evidence-collector', 'reasoner']);
    expect(callers).toEqual(expect.arrayContaining(models.spec.podSelector.matchExpressions[0].values));
    const [{ to, ports }] = outside.spec.egress;
    expect(ports).toEqual([{ port: 443, protocol: 'TCP' }]);
    const blocked = new BlockList();
    for (const range of to[0].ipBlock.except) blocked.addSubnet(...splitRange(range));
    for (const address of [
      '10.1.2.3',
      '172.20.0.1',
      '192.168.1.1',
      '169.254.169.254',
      '127.0.0.1',
      '100.64.0.1',
    ])
      expect([address, blocked.check(address)]).toEqual([address, true]);
    for (const address of ['1.1.1.1', '172.32.0.1', '9.255.255.255'])
      expect([address, blocked.check(address)]).toEqual([address, false]);
  });

  it.each(withNames(deployments))('%s selects its own pods', (_name, deployment) => {
    expect(deployment.spec.template.metadata.labels).toMatchObject(deployment.spec.selector.matchLabels);
  });

  it.each(withNames(deployments))(
    '%s is like the others but for name, port, memory and keys',
    (_name, deployment) => {
      expect(commonPart(deployment)).toEqual(commonPart(deployments[0]));
    },
  );

  it('keeps INGEST_PORT=tcp://... and the like, which Kubernetes makes of service names, out of the pods', () => {
    for (const { spec } of deployments) expect(spec.template.spec.enableServiceLinks).toBe(false);
    expect(() => readConfig({ INGEST_PORT: 'tcp://10.0.0.1:3001' }, kinds)).toThrow('INGEST_PORT');
  });

  it('mounts the configuration that it names, and it is one', () => {
    const settings = ofKind(objects, 'ConfigMap').find((map) =>
      map.metadata.name.startsWith('casefile-settings-'),
    );
    for (const deployment of deployments) {
      expect(Object.keys(mountedFiles(deployment, objects))).toContain(settings.data.CASEFILE_CONFIG);
    }
    const shipped = readConfig({}, kinds).settings;
    expect(readConfig({ CASEFILE_CONFIG: join(folder, 'casefile.yaml') }, kinds).settings).toEqual(shipped);
  });

  it('lets in its own namespace alone, since it trusts the network', () => {
    const [policy, ...more] = ofKind(objects, 'NetworkPolicy');
    expect(more).toEqual([]);
    expect(policy.spec).toMatchObject({
      policyTypes: ['Ingress'],
      ingress: [{ from: [{ podSelector: {} }] }],
    });
    for (const { spec } of deployments) {
      expect(matches(policy.spec.podSelector.matchLabels, spec.template.metadata.labels)).toBe(true);
    }
  });

  it('creates the first key in a pod that writes no log, by a command of README.md', () => {
    const [pod, ...more] = renderKustomization(join(folder, 'first-key'));
    expect(more).toEqual([]);
    expect(manifestProblems(pod)).toEqual([]);
    expect([pod.kind, pod.spec.containers[0].command]).toEqual([
      'Pod',
      ['node', '-e', 'setTimeout(() => {}, 900000)'],
    ]);
    const readme = readFileSync(join(folder, 'README.md'), 'utf8');
    expect(readme).toContain(
      'exec first-key -- node apps/cli/dist/main.js keys create admin --role admin --direct',
    );
    expect(readme).not.toContain('kubectl -n casefile logs');
  });

  it('holds no secret, and README.md says how to make those it needs', () => {
    expect(ofKind(objects, 'Secret')).toEqual([]);
    const readme = readFileSync(join(folder, 'README.md'), 'utf8');
    for (const name of Object.keys(EXPECTED_SECRETS))
      expect(readme).toContain(`create secret generic ${name}`);
  });
});

function splitRange(range) {
  const [address, bits] = range.split('/');
  return [address, Number(bits)];
}

function matches(selector, labels) {
  return Object.entries(selector).every(([key, value]) => labels[key] === value);
}

// Returns the part that the six files have in common. They repeat it on purpose, so that a reader sees what
// runs without patches.
function commonPart(deployment) {
  const { name } = deployment.metadata;
  const copy = JSON.parse(
    JSON.stringify(deployment).replaceAll(`"${name}"`, '"NAME"').replaceAll(`/${name}/`, '/NAME/'),
  );
  const [container] = copy.spec.template.spec.containers;
  delete copy.spec.replicas;
  container.ports[0].containerPort = 0;
  container.resources.limits.memory = '';
  const own = ['casefile-keys', 'casefile-sign-in', 'casefile-destinations'];
  container.envFrom = container.envFrom.filter((source) => !own.includes(source.secretRef?.name));
  container.env = container.env.filter(({ valueFrom }) => !own.includes(valueFrom?.secretKeyRef.name));
  return copy;
}
