import type { Incident } from './alert.js';

/** Labels that name the affected system, the most specific first. */
const PLACES = [
  'service',
  'app',
  'job',
  'namespace',
  'pod',
  'deployment',
  'instance',
  'host',
  'cluster',
  'region',
  'environment',
  'env',
  'team',
];
const MOST_PLACES = 6;

/** Returns the affected system, taken from the labels of the alert; empty if no label names it. */
export function placesIn({ labels }: Pick<Incident, 'labels'>): string {
  const places = PLACES.flatMap((name) => (labels[name] === undefined ? [] : [`${name} ${labels[name]}`]));
  return places.slice(0, MOST_PLACES).join(', ');
}
