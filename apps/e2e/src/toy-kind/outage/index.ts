import { isObject, type AlertInput } from '@casefile/contracts';
import {
  byRules,
  fromPayload,
  listSection,
  titleReport,
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

/** A kind of case that takes Alertmanager's alerts and tells their occurrences apart; it judges nothing of them. First of a list it gets them all. */
export const outage: Playbook = {
  ...parcelSize,
  name: 'outage',
  intake: {
    claims: () => null,
    problems: () => [],
    repeats: sameTrouble(occurrenceOf, 6, sameContent(0)),
    entrances: [{ format: 'alertmanager' }, { format: 'grafana' }, { format: 'cloudevents' }],
    masksSecrets: false,
  },
  triage: fromPayload(({ payload }) => ({
    text: textOf(payload?.['title']),
    input: { contents: 'an outage', sidesCm: [1, 1, 1] },
    units: [],
  })),
  write: async ([unit], ports) => {
    const resolvedAt = await ports.resolvedAt();
    return titleReport('Outage', [listSection('Over', resolvedAt === null ? [] : [resolvedAt])], unit);
  },
  strategies: { rules: byRules('rules', rules) },
  strategy: 'rules',
};
