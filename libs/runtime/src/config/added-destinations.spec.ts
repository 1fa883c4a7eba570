import { destinationEntrySchema, type DestinationEntry } from '@casefile/contracts';
import { readAddedDestination, resolveAdded } from './added-destinations.js';

const rules = { playbooks: [{ name: 'parcel' }], allowPrivate: false, names: ['a', 'b'] };
const entry = (over: object = {}): DestinationEntry =>
  destinationEntrySchema.parse({ type: 'webhook', url: 'https://a.example/in', ...over });
const added = (over: object = {}) => ({ name: 'a', entry: entry(over), changedBy: 'ann', changedAt: '' });

describe('an added destination', () => {
  it.each([
    ['url', { url: 'https://a.example/${DATABASE_URL}' }, 'begin with DESTINATION_'],
    ['secret', { secret: '${OPENAI_API_KEY}' }, 'begin with DESTINATION_'],
    ['headers.x-team', { headers: { 'x-team': '${HOME}' } }, 'begin with DESTINATION_'],
    ['headers.authorization', { headers: { authorization: 'Bearer abc' } }, 'expected ${DESTINATION_NAME}'],
    ['allowPrivate', { allowPrivate: true }, 'delivery.addedAllowPrivate'],
    ['when.playbook', { when: { playbook: ['letter'] } }, 'expected one of parcel'],
    ['url', { url: 'ftp://a.example' }, 'expected http://'],
    ['secret', { type: 'pagerduty', url: undefined }, 'expected ${NAME} with the routing key'],
    ['escalateTo', { escalateTo: 'c' }, 'expected another destination: b'],
    ['body', { type: 'template', body: '{ "a": {{text}} }' }, 'inside quotes'],
  ])('names the field %s of a wrong entry', (path, over, words) => {
    const { problems } = readAddedDestination(added(over), rules);
    expect(problems).toEqual([{ path, message: expect.stringContaining(words) }]);
  });

  it('gets only variables that begin with DESTINATION_, also if a row was written by other means', () => {
    const all = [
      added({ headers: { 'x-a': '${DESTINATION_A}' } }),
      added({ headers: { 'x-a': '${SECRET}' } }),
    ];
    const [good, bad] = resolveAdded(all, rules, { DESTINATION_A: 'one', SECRET: 'two' });
    expect(good).toMatchObject({ problem: null, headers: { 'x-a': 'one' } });
    expect(bad?.problem).toContain('headers.x-a: expected only variables that begin with DESTINATION_');
    expect(JSON.stringify(bad)).not.toContain('two');
  });

  it('is sent to although the destination that it names for escalation was removed', () => {
    const { playbooks, allowPrivate } = rules;
    const [one] = resolveAdded([added({ escalateTo: 'removed' })], { playbooks, allowPrivate }, {});
    expect(one).toMatchObject({ problem: null });
  });

  it('with an entry of another version keeps its name and the problem', () => {
    const [unread] = resolveAdded([{ ...added(), entry: { type: 'fax' } as never }], rules, {});
    expect(unread).toMatchObject({ name: 'a', problem: expect.stringContaining('type: expected one of') });
  });
});
