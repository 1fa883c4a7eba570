import { spawn } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { join } from 'node:path';
import { temporaryFolder } from '../../libs/contracts/src/testing/temporary-folder.js';
import { environmentSchema } from '../../libs/runtime/src/config/environment-schema.js';
import { root } from '../root.mjs';
import { composeProblems, readCompose, REQUIRED, variablesOf } from './compose-file.mjs';
import { composeContainers } from './containers.mjs';

const path = join(root, 'docker-compose.yml');
const source = readFileSync(path, 'utf8');
const { services } = readCompose(path);

describe('docker-compose.yml by the Compose specification', () => {
  const folder = temporaryFolder('compose');
  const problemsWith = (search, replacement) => {
    expect(source).toContain(search);
    const file = join(folder, 'docker-compose.yml');
    writeFileSync(file, source.replace(search, replacement));
    return composeProblems(file);
  };

  it('is valid', () => {
    expect(composeProblems(path)).toEqual([]);
  });

  it.each([
    ['an unknown key of a service', 'stop_grace_period:', 'stop_grace_perod:'],
    ['an unknown key of a health check', 'start_interval:', 'start_intervall:'],
    ['an unknown condition', 'condition: service_healthy', 'condition: healthy'],
    ['a wrong type', 'read_only: true', 'read_only: [sure]'],
    ['an unknown top-level key', '\nvolumes:\n', '\nvolume:\n'],
    ['a port on every address', "'127.0.0.1:${INGEST_PORT:-3001}:3001'", "'3001:3001'"],
    ['an image of any version', 'redis:7.2-alpine', 'redis'],
  ])('would not be with %s', (_what, found, put) => {
    expect(problemsWith(found, put)).not.toEqual([]);
  });
});

describe('docker-compose.yml', () => {
  it('publishes console and ingest, and the observability profile, on the loopback, and nothing else', () => {
    const published = Object.entries(services).flatMap(([name, { ports = [] }]) =>
      ports.map((port) => [name, port]),
    );
    expect(published).toEqual([
      ['console', '127.0.0.1:3000:3000'],
      ['ingest', '127.0.0.1:3001:3001'],
      ['prometheus', '127.0.0.1:9090:9090'],
      ['grafana', '127.0.0.1:3030:3000'],
    ]);
  });

  it('moves a port outside the container and not inside it', () => {
    const moved = readCompose(path, { ...REQUIRED, CONSOLE_PORT: '8080' }).services.console;
    expect(moved.ports).toEqual(['127.0.0.1:8080:3000']);
    expect(moved.environment.CONSOLE_PORT).toBe('3000');
  });

  it('takes variables from outside that README.md can name: those that are read, the passwords of its own stores, the secret of the sign-in, and ports of others', () => {
    const known = [
      ...Object.keys(environmentSchema.shape),
      ...Object.keys(REQUIRED),
      'OIDC_CLIENT_SECRET',
      'PROMETHEUS_PORT',
      'GRAFANA_PORT',
      'METRICS_KEY_FILE',
    ];
    expect(variablesOf(path).filter((variable) => !known.includes(variable))).toEqual([]);
  });

  it('uses one password on both sides', () => {
    const { postgres, redis, reasoner } = readCompose(path).services;
    const queue = new URL(reasoner.environment.QUEUE_URL);
    expect([queue.hostname, queue.password]).toEqual(['redis', redis.environment.REDISCLI_AUTH]);
    const url = new URL(reasoner.environment.DATABASE_URL);
    expect([url.username, url.password, url.pathname.slice(1)]).toEqual([
      postgres.environment.POSTGRES_USER,
      postgres.environment.POSTGRES_PASSWORD,
      postgres.environment.POSTGRES_DB,
    ]);
    expect([url.hostname, postgres.environment.POSTGRES_PASSWORD]).toEqual(['postgres', 'own1']);
  });

  it.each(Object.keys(REQUIRED))('does not start without %s, and names it', (name) => {
    for (const missing of [undefined, ''])
      expect(() => readCompose(path, { ...REQUIRED, [name]: missing })).toThrow(name);
  });

  it('builds its image in one place', () => {
    const ours = composeContainers({ services }).map(({ name }) => services[name]);
    expect(new Set(ours.map((service) => service.image)).size).toBe(1);
    expect(ours.filter((service) => service.build !== undefined)).toHaveLength(1);
  });

  it('starts services when their stores answer, keys only where models and tools are asked', () => {
    for (const { name } of composeContainers({ services })) {
      expect(services[name].depends_on).toEqual({
        postgres: { condition: 'service_healthy' },
        redis: { condition: 'service_healthy' },
      });
    }
    const withKeys = Object.keys(services).filter((name) => services[name].env_file !== undefined);
    expect(withKeys.sort()).toEqual([
      'critic-writer',
      'decision',
      'evidence-collector',
      'ingest',
      'reasoner',
    ]);
    expect(services.decision.env_file).toEqual([{ path: '.env.destinations', required: false }]);
  });

  it('keeps what the stores are told: Redis loses nothing and evicts nothing, Postgres has pgvector', () => {
    expect(services.redis.command).toEqual([
      'redis-server',
      '--appendonly',
      'yes',
      '--maxmemory-policy',
      'noeviction',
      '--requirepass',
      services.redis.environment.REDISCLI_AUTH,
    ]);
    expect(services.postgres.image).toMatch(/^pgvector\/pgvector:pg\d+$/);
    for (const store of [services.redis, services.postgres]) {
      expect(store.volumes).toHaveLength(1);
      expect(store.networks).toEqual(['stores']);
    }
    expect(readCompose(path).networks.stores).toEqual({ internal: true });
  });

  it('checks the health of everything it starts', () => {
    expect(Object.keys(services).filter((name) => services[name].healthcheck === undefined)).toEqual([]);
  });

  it.each([
    ['well', 200, 0],
    ['not well', 503, 1],
  ])('takes a service that answers %s for what it says', async (_how, status, exit) => {
    const server = createServer((_request, response) => response.writeHead(status).end());
    await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve));
    const [, node, flag, script] = services.reasoner.healthcheck.test;
    expect([node, flag]).toEqual(['node', '-e']);
    const check = spawn(process.execPath, [flag, script.replace(':3003/', `:${server.address().port}/`)]);
    expect(await new Promise((resolve) => check.on('exit', resolve))).toBe(exit);
    server.close();
  });
});
