// Both production layouts follow the same rules: a container sets exactly the variables that its services
// read.
import { existsSync, readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { kinds } from '../../libs/kinds/shipped/src/loaded.js';
import { readConfig } from '../../libs/runtime/src/config/read-config.js';
import { environmentSchema } from '../../libs/runtime/src/config/environment-schema.js';
import { HealthController } from '../../libs/runtime/src/nest/health.controller.js';
import { flow } from '../../libs/pipeline/src/flow.js';
import { root } from '../root.mjs';
import { readCompose } from './compose-file.mjs';
import {
  composeContainers,
  DOT_ENV,
  ENV_FILES,
  EXPECTED_SECRETS,
  kubernetesContainers,
} from './containers.mjs';
import { renderKustomization } from './kubectl.mjs';

const defaults = readConfig({}, kinds).ports;
const services = Object.keys(defaults).sort();
const knownVariables = [
  ...Object.keys(environmentSchema.shape),
  ...Object.values(EXPECTED_SECRETS).flatMap((secret) => Object.keys(secret)),
];
const shapes = [
  [
    'docker-compose.yml',
    composeContainers(readCompose(join(root, 'docker-compose.yml'), DOT_ENV), ENV_FILES),
  ],
  ['k8s', kubernetesContainers(renderKustomization(join(root, 'k8s')))],
];

describe.each(shapes)('%s', (_shape, containers) => {
  it('runs every service once, each stage of the flow among them', () => {
    expect(containers.map((container) => container.name).sort()).toEqual(services);
    expect(services).toEqual(expect.arrayContaining(flow.map((stage) => stage.app)));
  });

  it('gives the key of verdicts to the service that sends them, and that of fingerprints to both that take alerts in', () => {
    const environmentOf = (service) => containers.find(({ name }) => name === service).environment;
    const { CASEFILE_VERDICT_KEY, CASEFILE_FINGERPRINT_KEY } = EXPECTED_SECRETS['casefile-keys'];
    expect(environmentOf('decision')).toMatchObject({ CASEFILE_VERDICT_KEY });
    expect(environmentOf('decision')).not.toHaveProperty('OPENAI_API_KEY');
    expect(environmentOf('console')).toMatchObject({ CASEFILE_FINGERPRINT_KEY });
    expect(environmentOf('console')).not.toHaveProperty('OPENAI_API_KEY');
  });

  it('gives the secret of the sign-in to the console and those of destinations to decision, and neither to others', () => {
    const withVariable = (name) =>
      containers.filter(({ environment }) => environment[name]).map(({ name }) => name);
    expect(withVariable('OIDC_CLIENT_SECRET')).toEqual(['console']);
    expect(withVariable('DESTINATION_TEAM_KEY')).toEqual(['decision']);
  });

  it('gives every service the URLs of stores with passwords', () => {
    for (const { environment } of containers)
      for (const url of [environment.DATABASE_URL, environment.QUEUE_URL])
        expect(new URL(url).password).not.toBe('');
  });

  describe.each(containers.map((container) => [container.name, container]))('%s', (name, container) => {
    it('starts the file that a build makes of its main.ts', () => {
      expect(container.command).toEqual(['node', `apps/${name}/dist/main.js`]);
      expect(existsSync(join(root, 'apps', name, 'src/main.ts'))).toBe(true);
    });

    it('sets variables that are read, and no other', () => {
      expect(
        Object.keys(container.environment).filter((variable) => !knownVariables.includes(variable)),
      ).toEqual([]);
    });

    it('gets a configuration that it accepts: the given stores, the usual ports, a network that is trusted', () => {
      // Skips the configuration file, which exists only in the container. The specs of each layout check it.
      const config = readConfig({ ...container.environment, CASEFILE_CONFIG: '' }, kinds);
      expect(config.databaseUrl).toMatch(/^postgres:/);
      expect(config.queueUrl).toMatch(/^redis:/);
      expect(config.ports).toEqual(defaults);
      expect(config.host).toBe('0.0.0.0');
    });

    it('is asked for its health where it answers', () => {
      expect(container.probes.length).toBeGreaterThan(0);
      for (const probe of container.probes) {
        expect(healthPaths()).toContain(probe.path);
        expect(probe.port).toBe(defaults[name]);
      }
    });

    it('has time to stop in order, and rights to nothing it does not need', () => {
      expect(container).toMatchObject({
        graceSeconds: 30,
        readOnly: true,
        dropped: ['ALL'],
        writable: ['/tmp'],
      });
      expect(container.user).toBe(userOfImage());
    });
  });
});

describe('the image', () => {
  const ignored = readFileSync(join(root, '.dockerignore'), 'utf8').split('\n');

  it('takes in no secret and nothing built elsewhere', () => {
    expect(ignored).toEqual(expect.arrayContaining(['.env', '.env.*', '.git', '**/node_modules', '**/dist']));
  });

  it('is made on the Node that containers run, from the lock file, without development dependencies', () => {
    const dockerfile = readFileSync(join(root, 'Dockerfile'), 'utf8');
    expect(dockerfile).toMatch(/^ARG NODE_IMAGE=node:24-\S+$/m);
    expect(dockerfile.match(/^FROM (\S+)/gm)).toEqual(Array(3).fill('FROM ${NODE_IMAGE}'));
    for (const step of ['npm ci', 'node tools/build.mjs', 'npm prune --omit=dev'])
      expect(dockerfile).toContain(step);
  });

  it('is given everything that the build reads', () => {
    const needed = ['package.json', 'package-lock.json', '.npmrc', 'libs', 'apps', 'tools', 'config'];
    expect(readdirSync(root)).toEqual(expect.arrayContaining(needed));
    expect(ignored.filter((line) => needed.includes(line.replace(/\/$/, '')))).toEqual([]);
  });
});

function healthPaths() {
  const methods = Object.getOwnPropertyNames(HealthController.prototype);
  const paths = methods.map((method) => Reflect.getMetadata('path', HealthController.prototype[method]));
  return paths.filter((path) => path?.startsWith('health/')).map((path) => `/${path}`);
}

function userOfImage() {
  return /^USER (\S+)$/m.exec(readFileSync(join(root, 'Dockerfile'), 'utf8'))?.[1];
}
