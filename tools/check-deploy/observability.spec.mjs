import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'yaml';
import { BOARD_FILE, ruleGroups } from '../monitoring/files.mjs';
import { root } from '../root.mjs';
import { readCompose } from './compose-file.mjs';
import { ofKind } from './containers.mjs';
import { renderKustomization } from './kubectl.mjs';
import { manifestProblems } from './manifest-problems.mjs';

const text = (file) => readFileSync(join(root, file), 'utf8');

describe('k8s/monitoring, rendered', () => {
  const objects = renderKustomization(join(root, 'k8s/monitoring'));
  const services = ofKind(renderKustomization(join(root, 'k8s')), 'Service');

  it.each(objects.map((object) => [object.kind, object]))('%s is valid', (_kind, object) => {
    expect(manifestProblems(object)).toEqual([]);
  });

  it('would not be valid with an unknown field or a wrong type', () => {
    const [monitor] = ofKind(objects, 'ServiceMonitor');
    const spoilt = structuredClone(monitor);
    spoilt.spec.endpoints[0].intervall = '30s';
    expect(manifestProblems(spoilt).join()).toContain('intervall');
    expect(manifestProblems({ ...monitor, spec: { ...monitor.spec, endpoints: 1 } })).not.toEqual([]);
  });

  it('has the rules and the board', () => {
    const [rule] = ofKind(objects, 'PrometheusRule');
    expect(rule.spec.groups).toEqual(
      JSON.parse(
        JSON.stringify(ruleGroups()).replaceAll(
          'http://localhost:3000/',
          'http://console.casefile.svc:3000/',
        ),
      ),
    );
    const namesOfServices = services.map(({ metadata }) => `${metadata.name}.${metadata.namespace}.svc`);
    for (const { annotations } of rule.spec.groups.flatMap(({ rules }) => rules))
      expect(namesOfServices).toContain(new URL(annotations.runbook_url).hostname);
    const [map] = ofKind(objects, 'ConfigMap');
    expect(map.metadata).toMatchObject({ name: 'casefile-board', labels: { grafana_dashboard: '1' } });
    expect(map.data['casefile.json']).toBe(text(BOARD_FILE));
  });

  it('scrapes every service at a port that it has', () => {
    const [{ spec }] = ofKind(objects, 'ServiceMonitor');
    expect(services).toHaveLength(6);
    for (const { metadata, spec: service } of services) {
      expect(metadata.labels).toMatchObject(spec.selector.matchLabels);
      expect(metadata.labels[spec.jobLabel]).toBe(metadata.name);
      expect(service.ports.map(({ name }) => name)).toContain(spec.endpoints[0].port);
    }
  });

  it('puts everything into the namespace of the services', () => {
    expect(new Set(objects.map(({ metadata }) => metadata.namespace))).toEqual(
      new Set(services.map(({ metadata }) => metadata.namespace)),
    );
  });
});

describe('the profile observability of docker-compose.yml', () => {
  const { services } = readCompose(join(root, 'docker-compose.yml'));
  const profiled = Object.entries(services).filter(([, { profiles }]) => profiles !== undefined);
  const scrape = parse(text('config/observability/prometheus.yml'));

  it('is Prometheus and Grafana, of pinned versions, and starts by its name alone', () => {
    expect(profiled.map(([name, { profiles }]) => [name, profiles])).toEqual([
      ['prometheus', ['observability']],
      ['grafana', ['observability']],
    ]);
    for (const [, { image }] of profiled) expect(image).toMatch(/:v?\d+\.\d+\.\d+$/);
  });

  it('mounts files that exist, read-only, and reads each at the path of its mount', () => {
    const mounts = profiled.flatMap(([, { volumes }]) => volumes).filter((one) => one.startsWith('./'));
    for (const mount of mounts) {
      const [from, , mode] = mount.split(':');
      expect([mount, existsSync(join(root, from)), mode]).toEqual([mount, true, 'ro']);
    }
    const inside = mounts.map((mount) => mount.split(':')[1]);
    expect(inside).toEqual(expect.arrayContaining(scrape.rule_files));
    const boards = parse(text('config/observability/grafana/boards.yaml')).providers[0].options.path;
    expect(inside).toContain(boards);
    const { GF_DASHBOARDS_DEFAULT_HOME_DASHBOARD_PATH: home } = services.grafana.environment;
    expect(home).toBe(`${boards}/${BOARD_FILE.split('/').pop()}`);
  });

  it('K4 sends the key of a mounted file to each service', () => {
    const mount = services.prometheus.volumes.find((one) =>
      one.startsWith('./config/observability/no-metrics-key:'),
    );
    const [, inside] = mount.split(':');
    for (const { authorization } of scrape.scrape_configs)
      expect(authorization).toEqual({ credentials_file: inside });
  });

  it('scrapes each service at its port, on a network that both are on', () => {
    const targets = Object.fromEntries(
      scrape.scrape_configs.map(({ job_name: job, static_configs: [{ targets: all }] }) => [job, all]),
    );
    const own = Object.entries(services).filter(([, { image }]) => image.startsWith('casefile:'));
    const ports = own.map(([name, { environment }]) => {
      const variable = `${name.toUpperCase().replaceAll('-', '_')}_PORT`;
      return [name, [`${name}:${environment[variable]}`]];
    });
    expect(targets).toEqual(Object.fromEntries(ports));
    for (const [, { networks }] of [...own, ...profiled]) expect(networks).toContain('services');
    const [{ url }] = parse(text('config/observability/grafana/datasource.yaml')).datasources;
    expect(url).toBe('http://prometheus:9090');
  });
});
