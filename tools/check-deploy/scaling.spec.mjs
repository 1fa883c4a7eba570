import { join } from 'node:path';
import { flow } from '../../libs/pipeline/src/flow.js';
import { kinds } from '../../libs/kinds/shipped/src/loaded.js';
import { readConfig } from '../../libs/runtime/src/config/read-config.js';
import { testRecord } from '../../libs/store/src/testing/test-record.js';
import { root } from '../root.mjs';
import { ofKind } from './containers.mjs';
import { renderKustomization } from './kubectl.mjs';
import { manifestProblems } from './manifest-problems.mjs';

const scaled = renderKustomization(join(root, 'k8s/scaling'));
const deployments = ofKind(renderKustomization(join(root, 'k8s')), 'Deployment');
const namedObjects = scaled.map((object) => [object.metadata.name, object]);
const stagesOf = (app) => flow.filter((stage) => stage.app === app).map(({ name }) => name);
const queryOf = ({ spec }, name) => spec.triggers.find((trigger) => trigger.name === name).metadata.query;

describe('k8s/scaling, rendered', () => {
  it.each(namedObjects)(
    '%s is valid, and scales a deployment with the variable that it connects by',
    (name, object) => {
      expect(manifestProblems(object)).toEqual([]);
      const deployment = deployments.find(
        ({ metadata }) => metadata.name === object.spec.scaleTargetRef.name,
      );
      expect([deployment.metadata.name, deployment.metadata.namespace]).toEqual([
        name,
        object.metadata.namespace,
      ]);
      const variables = deployment.spec.template.spec.containers[0].env.map((variable) => variable.name);
      for (const { type, metadata } of object.spec.triggers) {
        expect(type).toBe('postgresql');
        expect(variables).toContain(metadata.connectionFromEnv);
      }
    },
  );

  it('would not be valid with an unknown field', () => {
    const spoilt = { ...scaled[0], spec: { ...scaled[0].spec, minReplicas: 1 } };
    expect(manifestProblems(spoilt)).toEqual(['/spec/minReplicas is not a field']);
  });

  it('scales no service to zero, and neither ingest nor console', () => {
    expect(namedObjects.map(([name]) => name).sort()).toEqual([
      'critic-writer',
      'decision',
      'evidence-collector',
      'reasoner',
    ]);
    for (const { spec } of scaled) {
      expect(spec.minReplicaCount).toBeGreaterThanOrEqual(1);
      expect(spec.cooldownPeriod).toBeGreaterThan(readConfig({}, kinds).settings.lease.seconds);
    }
  });

  it.each(namedObjects)(
    '%s counts its own stages, and bulk work by the slots of its stages',
    (name, object) => {
      const { concurrency } = readConfig({}, kinds).settings;
      const stages = stagesOf(name);
      expect(stages.length).toBeGreaterThan(0);
      for (const query of [queryOf(object, 'live'), queryOf(object, 'bulk')]) {
        const listed = /stage in \(([^)]+)\)/.exec(query)[1].match(/\w+/g);
        expect(listed.sort()).toEqual([...stages].sort());
      }
      for (const stage of stages) {
        expect(queryOf(object, 'live')).toContain(`/ ${concurrency[stage].live}.0`);
        expect(queryOf(object, 'bulk')).toContain(`/ ${concurrency[stage].bulk}.0`);
      }
    },
  );
});

describe('the queries of k8s/scaling on a real Postgres', () => {
  const at = testRecord();
  const [reasoner] = scaled.filter(({ metadata }) => metadata.name === 'reasoner');
  const pods = async (name) => {
    const rows = await at().store.database.rows(queryOf(reasoner, name));
    expect(rows).toHaveLength(1);
    const values = Object.values(rows[0]);
    expect(values).toHaveLength(1);
    return Number(values[0]);
  };

  it('are 0 without work, and follow the number and the age of units that wait', async () => {
    const { bench, passTime } = at();
    expect([await pods('live'), await pods('bulk')]).toEqual([0, 0]);
    for (let n = 0; n < 5; n += 1) await bench.dueAt('reason', { lane: 'batch' });
    expect(await pods('bulk')).toBe(0.2);
    await bench.dueAt('reason');
    await passTime(180_000);
    const live = await pods('live');
    expect(live).toBeGreaterThanOrEqual(3);
    expect(live).toBeLessThan(4);
  });
});
