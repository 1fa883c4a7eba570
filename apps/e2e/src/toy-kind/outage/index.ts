import { isObject, type AlertInput } from '@casefile/contracts';
import {
  byRules,
  fromPayload,
  listSection,
  buildReport,
  sameContent,
  sameTrouble,
  type Occurrence,
  type Playbook,
} from '@casefile/pipeline';
import { parcelSize, rules } from '../parcel-size/index.js';

const textOf = (value: unknown): string => (typeof value === 'string' ? value : '');

function occurrenceOf({ payload }: AlertInput): Occurrence | null {
  const alert = payload?.['alert'];
  if (!isObject(alert)) return null;
  const { fingerprint, startsAt, status } = alert;
  return { key: textOf(fingerprint), startedAt: textOf(startsAt), resolved: status === 'resolved' };
}

/**
 * A kind of case that accepts Alertmanager's alerts and distinguishes their occurrences, but judges nothing.
 * As the first kind of a list it gets all alerts.
 */
export const outage: Playbook = {
  ...parcelSize,
  name: 'outage',
  intake: {
    claims: () => null,
    problems: () => [],
    repeats: sameTrouble(occurrenceOf, 6, sameContent(0)),
    entrances: [{ format: 'alertmanager' }, { format: 'grafana' }, { format: 'cloudevents' }],
  },
  triage: fromPayload(({ payload }) => ({
    text: textOf(payload?.['title']),
    input: { contents: 'an outage', sidesCm: [1, 1, 1] },
    units: [],
  })),
  write: async ([unit], ports) => {
    const resolvedAt = await ports.resolvedAt();
    return buildReport('Outage', [listSection('Over', resolvedAt === null ? [] : [resolvedAt])], unit);
  },
  strategies: { rules: byRules('rules', rules) },
  strategy: 'rules',
};
