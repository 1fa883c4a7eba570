import type { AlertInput } from '@casefile/contracts';
import type { KindClaim, Playbook } from '@casefile/pipeline';
import { playbooks } from '@casefile/shipped/loaded';
import { chooseKind, type KindChoice } from './choose-kind.js';

const kind = (name: string, claim: KindClaim | null) =>
  ({ name, intake: { claims: () => claim } }) as unknown as Playbook;
const claim = (strength: KindClaim['strength'], why: string = strength): KindClaim => ({ strength, why });
const chosen = (alert: AlertInput, over: Partial<KindChoice>) => {
  const found = chooseKind(alert, { playbooks: [], optionsOf: () => ({}), settings: [], ...over });
  return found === null ? null : { name: found.playbook.name, ...found.chosenBy };
};
const shipped = (text: string) => chosen({ text }, { playbooks });

describe('the kind of an alert', () => {
  const all = [
    kind('first', claim('matches')),
    kind('second', claim('recognises')),
    kind('third', claim('asks')),
  ];

  it('T-11 is the one that the alert names, whatever claims it', () => {
    expect(chosen({ playbook: 'first' }, { playbooks: all })).toMatchObject({ name: 'first', rule: 'name' });
    expect(chosen({ playbook: 'nonesuch' }, { playbooks: all })).toBeNull();
  });

  it('T-11 is the one with the strongest claim, of equal ones the first in order', () => {
    expect(chosen({ text: 'x' }, { playbooks: all })).toMatchObject({ name: 'third', rule: 'request' });
    expect(chosen({ text: 'x' }, { playbooks: all.slice(0, 2) })).toMatchObject({
      name: 'second',
      rule: 'content',
    });
    const equal = [kind('a', null), kind('b', claim('matches')), kind('c', claim('matches'))];
    expect(chosen({ text: 'x' }, { playbooks: equal })).toEqual({ name: 'b', rule: 'order', why: 'matches' });
    expect(chosen({ text: 'x' }, { playbooks: [kind('a', null)] })).toBeNull();
  });

  it('T-11 names the kinds that the content only resembles', () => {
    const some = [
      kind('a', claim('resembles', 'It has an outage.')),
      kind('b', claim('matches', 'It fits.')),
    ];
    expect(chosen({ text: 'x' }, { playbooks: some })).toEqual({
      name: 'b',
      rule: 'order',
      why: 'It fits. a: It has an outage.',
      others: ['a'],
    });
  });

  const settings = [
    { source: 'pager', labels: { team: 'db' }, playbook: 'second' },
    { labels: { team: 'fraud' }, playbook: 'first' },
    { queue: 'alerts', playbook: 'third' },
  ];
  it.each<[string, AlertInput, string | undefined, string, string]>([
    [
      'source and label',
      { source: 'pager', labels: { team: 'db', a: 'b' } },
      undefined,
      'second',
      'intake.playbookBy[0]',
    ],
    ['label', { source: 'pager', labels: { team: 'fraud' } }, 'alerts', 'first', 'the label team=fraud'],
    ['queue', { source: 'pager' }, 'alerts', 'third', 'the queue alerts'],
  ])('T-11 is the one that the first fitting setting names by %s', (_, alert, queue, name, why) => {
    const found = chosen(alert, { playbooks: all, settings, queue });
    expect(found).toMatchObject({ name, rule: 'setting', why: expect.stringContaining(why) });
  });

  it('T-11 is claimed by content where no setting fits, and by name before any setting', () => {
    expect(chosen({ source: 'pager' }, { playbooks: all, settings })).toMatchObject({ rule: 'request' });
    const named = { playbook: 'second', labels: { team: 'fraud' } };
    expect(chosen(named, { playbooks: all, settings })).toMatchObject({ name: 'second', rule: 'name' });
  });
});

describe('the shipped kinds', () => {
  it.each([
    ['Orders cannot be placed, the basket API times out in every region. Sev1', 'incident', 'content'],
    ['Auftragsdatenbank nicht erreichbar, alle Server im Cluster betroffen', 'incident', 'content'],
    ['Hi, your parcel is held. Pay the fee at https://parcel.example/pay', 'scam-verdict', 'order'],
    ['Hey, checkout is down, can you look?', 'scam-verdict', 'order'],
    ['The cat sleeps on the sofa', 'scam-verdict', 'order'],
  ])('T-11 judge "%s" as %s', (text, name, rule) => {
    expect(shipped(text)).toMatchObject({ name, rule });
  });

  it('T-11 recognise the payload of a monitoring system before the text next to it', () => {
    const payload = { alert: { labels: { alertname: 'DiskFull', severity: 'critical' } } };
    expect(chosen({ text: 'see below', payload }, { playbooks })).toMatchObject({
      name: 'incident',
      rule: 'content',
    });
  });
});
