import type { AlertCorrelation } from '@casefile/contracts';
import type { Occurrence } from '@casefile/pipeline/parts/intake';
import type { SettingsFile } from '../config/settings-schema.js';

/** Maximum number of services, and of characters of a name, by which one alert is correlated. */
const MOST = { services: 50, near: 100, characters: 200 };

/** Services, and what each depends on, as edges in both directions. All names are in lower case. */
export interface Topology {
  dependsOn: ReadonlyMap<string, ReadonlySet<string>>;
  dependents: ReadonlyMap<string, ReadonlySet<string>>;
}

/** Returns the topology of the settings. */
export function readTopology({ services }: SettingsFile['correlation']): Topology {
  const dependsOn = new Map<string, Set<string>>();
  const dependents = new Map<string, Set<string>>();
  const add = (edges: Map<string, Set<string>>, from: string, to: string) =>
    edges.set(from, (edges.get(from) ?? new Set()).add(to));
  for (const [name, service] of Object.entries(services)) {
    const from = normalized(name);
    dependsOn.set(from, dependsOn.get(from) ?? new Set());
    for (const other of service.dependsOn) {
      add(dependsOn, from, normalized(other));
      add(dependents, normalized(other), from);
    }
  }
  return { dependsOn, dependents };
}

/**
 * Returns the facts by which an alert is correlated with others; undefined: it names no group and no service, or
 * correlation is switched off.
 */
export function correlate(
  { related, grade, startedAt, resolved, remark }: Occurrence,
  receivedAt: string,
  settings: SettingsFile['correlation'],
  { dependsOn, dependents }: Topology,
): AlertCorrelation | undefined {
  if (!settings.enabled || related === undefined || resolved || remark === true) return undefined;
  const { group, name, labels } = related;
  const named = (names: readonly string[]) =>
    unique(names.flatMap((label) => listed(labels[label])).map(normalized));
  const services = named(settings.serviceLabels).slice(0, MOST.services);
  if (group === null && services.length === 0) return undefined;
  const causes = unique([
    ...named(settings.dependencyLabels),
    ...services.flatMap((service) => [...(dependsOn.get(service) ?? [])]),
  ]);
  const near = unique([
    ...services,
    ...causes,
    ...services.flatMap((service) => [...(dependents.get(service) ?? [])]),
  ]);
  return {
    group: group === null ? null : group.slice(0, MOST.characters),
    services,
    near: near.slice(0, MOST.near),
    dependsOn: causes.slice(0, MOST.services),
    isMapped: services.some((service) => dependsOn.has(service) || dependents.has(service)),
    name: name.slice(0, MOST.characters),
    severity: grade?.severity ?? 'unknown',
    beganAt: Date.parse(startedAt ?? receivedAt),
    windowMs: settings.windowMinutes * 60_000,
  };
}

// A label may list several services.
const listed = (value: string | undefined): string[] => (value ?? '').split(/[,;\s]+/).filter(Boolean);
const normalized = (name: string): string => name.trim().toLowerCase().slice(0, MOST.characters);
const unique = (names: readonly string[]): string[] => [...new Set(names)].filter((name) => name !== '');
