import { generateKeyPairSync } from 'node:crypto';
import { join } from 'node:path';
import { REQUIRED } from './compose-file.mjs';

const SIGNING_KEY = generateKeyPairSync('ed25519').privateKey.export({ format: 'pem', type: 'pkcs8' });

/** The secrets that the Kubernetes base expects, with typical values. */
export const EXPECTED_SECRETS = {
  'casefile-stores': {
    DATABASE_URL: 'postgres://casefile:x@postgres.test/casefile',
    QUEUE_URL: 'redis://:y@redis.test',
  },
  'casefile-keys': {
    OPENAI_API_KEY: 'x',
    CASEFILE_FINGERPRINT_KEY: 'a fingerprint key of the specs',
    CASEFILE_VERDICT_KEY: 'a key of verdicts for the specs',
    CASEFILE_SIGNING_KEY: SIGNING_KEY,
  },
  'casefile-sign-in': { OIDC_CLIENT_SECRET: 'secret of the sign-in' },
  'casefile-destinations': { DESTINATION_TEAM_KEY: 'whsec_c2VjcmV0IG9mIHRoZSBzcGVjcyE=' },
};

/**
 * Returns the services of a Compose file that run our image, as settings of containers.
 * @param files content of the files next to it, by name, for services that name one as their `env_file`.
 */
export function composeContainers(compose, files = {}) {
  return Object.entries(compose.services)
    .filter(([, service]) => service.image.startsWith('casefile:'))
    .map(([name, service]) => ({
      name,
      command: service.command,
      environment: Object.assign(
        {},
        ...(service.env_file ?? []).map(({ path }) => files[path] ?? {}),
        service.environment,
      ),
      user: service.user,
      graceSeconds: Number.parseInt(service.stop_grace_period, 10),
      readOnly: service.read_only === true,
      dropped: service.cap_drop,
      writable: service.tmpfs,
      probes: [probeOfFetch(service.healthcheck.test.at(-1))],
    }));
}

/**
 * Returns the containers of rendered Kubernetes objects, with the environment from the objects and these
 * secrets.
 */
export function kubernetesContainers(objects, secrets = EXPECTED_SECRETS) {
  return ofKind(objects, 'Deployment').map((deployment) => {
    const pod = deployment.spec.template.spec;
    const [container] = pod.containers;
    const { runAsUser, runAsGroup } = pod.securityContext;
    return {
      name: deployment.metadata.name,
      command: container.command,
      environment: environmentOf(container, objects, secrets),
      user: `${runAsUser}:${runAsGroup}`,
      graceSeconds: pod.terminationGracePeriodSeconds,
      readOnly: container.securityContext.readOnlyRootFilesystem === true,
      dropped: container.securityContext.capabilities.drop,
      writable: emptyFoldersOf(pod, container),
      probes: [container.startupProbe, container.livenessProbe, container.readinessProbe].map((probe) => ({
        path: probe.httpGet.path,
        port: container.ports.find((port) => port.name === probe.httpGet.port)?.containerPort,
      })),
    };
  });
}

/** Returns the rendered objects of one kind. */
export function ofKind(objects, kind) {
  return objects.filter((object) => object.kind === kind);
}

/** Returns the files mounted into a pod, by path. */
export function mountedFiles(deployment, objects) {
  const pod = deployment.spec.template.spec;
  const files = {};
  for (const { name, mountPath } of pod.containers[0].volumeMounts) {
    const source = pod.volumes.find((volume) => volume.name === name)?.configMap?.name;
    if (source === undefined) continue;
    for (const [file, text] of Object.entries(configMap(objects, source)))
      files[join(mountPath, file)] = text;
  }
  return files;
}

function environmentOf(container, objects, secrets) {
  const sources = (container.envFrom ?? []).map(({ configMapRef, secretRef }) =>
    secretRef === undefined ? configMap(objects, configMapRef.name) : secretNamed(secrets, secretRef.name),
  );
  const single = container.env.map(({ name, value, valueFrom }) => {
    const from = valueFrom?.secretKeyRef;
    return [name, from === undefined ? value : secretNamed(secrets, from.name)[from.key]];
  });
  return Object.assign({}, ...sources, Object.fromEntries(single));
}

function configMap(objects, name) {
  const match = ofKind(objects, 'ConfigMap').find((object) => object.metadata.name === name);
  if (match === undefined) throw new Error(`there is no ConfigMap ${name}`);
  return match.data;
}

/** All variables of the expected secrets, as `.env` of the Compose file has them. */
export const DOT_ENV = {
  ...REQUIRED,
  ...EXPECTED_SECRETS['casefile-keys'],
  ...EXPECTED_SECRETS['casefile-sign-in'],
};
/** Files next to the Compose file. The passwords of stores are of no use to a service. */
export const ENV_FILES = {
  '.env': EXPECTED_SECRETS['casefile-keys'],
  '.env.destinations': EXPECTED_SECRETS['casefile-destinations'],
};

function secretNamed(secrets, name) {
  if (secrets[name] === undefined) throw new Error(`README.md does not say how to make the secret ${name}`);
  return secrets[name];
}

function emptyFoldersOf(pod, container) {
  const empty = pod.volumes.filter((volume) => volume.emptyDir !== undefined).map((volume) => volume.name);
  return container.volumeMounts.filter((mount) => empty.includes(mount.name)).map((mount) => mount.mountPath);
}

function probeOfFetch(script) {
  const url = new URL(/fetch\('([^']+)'\)/.exec(script)?.[1] ?? '');
  return { path: url.pathname, port: Number(url.port) };
}
