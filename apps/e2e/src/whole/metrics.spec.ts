import { until } from '@casefile/contracts/testing';
import { METRICS, prometheusName } from '@casefile/telemetry';
import { FIVE_SERVICES, fiveServices, type FiveServices } from '../testing/five-services.js';

const SERVICES = [...FIVE_SERVICES, 'console'] as const;
/** Of the record and the queues, which all services share. */
const SHARED = [METRICS.runsUnfinished, METRICS.queueJobs, METRICS.condition].map((name) =>
  prometheusName(name, ''),
);
const OLDEST = prometheusName(METRICS.queueOldest, 's');

interface Exposition {
  /** By name of the metric. */
  help: Map<string, string>;
  type: Map<string, string>;
  /** Names of samples, without their labels. */
  samples: Set<string>;
  text: string;
}

let world: FiveServices;
let all: Map<string, Exposition>;
beforeAll(async () => {
  world = await fiveServices({ services: SERVICES });
  await world.start();
  const caseId = await world.alert({
    playbook: 'scam-verdict',
    text: 'Your parcel is held, pay the fee now.',
  });
  await until('the case is decided', async () => {
    const found = await world.store.record.getCase(caseId);
    return found?.runs[0]?.status === 'decided';
  });
  all = new Map(
    await Promise.all(
      SERVICES.map(async (name) => {
        const text = await (await fetch(`${world.service(name).url}/metrics`)).text();
        return [name, read(text)] as const;
      }),
    ),
  );
}, 600_000);
afterAll(() => world.close());

function read(text: string): Exposition {
  const about = (kind: string) =>
    new Map(
      [...text.matchAll(new RegExp(`^# ${kind} (\\S+) (.+)$`, 'gm'))].map(([, name = '', value = '']) => [
        name,
        value,
      ]),
    );
  const samples = new Set([...text.matchAll(/^([a-z_]+)(?:\{.*\})? \S+$/gm)].map(([, name = '']) => name));
  return { help: about('HELP'), type: about('TYPE'), samples, text };
}

describe('U14 the metrics of six services', () => {
  it('each have a description, a type, and a name that ends with the unit', () => {
    for (const [name, { help, type, samples }] of all) {
      expect([name, samples.size > 5]).toEqual([name, true]);
      expect([...help].filter(([, words]) => words.includes('missing'))).toEqual([]);
      expect([...type.keys()].sort()).toEqual([...help.keys()].sort());
      const times = [...help.keys()].filter((metric) => /duration|_age|_lag/.test(metric));
      expect(times.filter((metric) => !metric.endsWith('_seconds'))).toEqual([]);
      const counters = [...type].filter(([, kind]) => kind === 'counter').map(([metric]) => metric);
      expect(counters.filter((metric) => !metric.endsWith('_total'))).toEqual([]);
    }
  });

  it('name their service', () => {
    for (const [name, { text }] of all) {
      expect(text).toMatch(new RegExp(`^target_info\\{[^}]*service_name="${name}"`, 'm'));
      expect(text).not.toContain('unknown_service');
    }
  });

  it('have each gauge of the record and the queues once, so that a sum is right', () => {
    const owners = new Map<string, string[]>();
    for (const [name, { samples }] of all)
      for (const metric of samples) owners.set(metric, [...(owners.get(metric) ?? []), name]);
    for (const metric of [...SHARED, OLDEST])
      expect([metric, owners.get(metric) ?? []]).toEqual([metric, ['console']]);
    const gauges = [...all].flatMap(([, { type }]) =>
      [...type]
        .filter(([metric, kind]) => kind === 'gauge' && metric !== 'target_info')
        .map(([metric]) => metric),
    );
    expect(gauges.filter((metric, i) => gauges.indexOf(metric) !== i)).toEqual([]);
  });
});
