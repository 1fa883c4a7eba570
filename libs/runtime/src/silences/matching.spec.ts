import { isExact, matcherText, readMatcher, type SilenceMatcher } from '@casefile/contracts';
import { matcherProblems, silenceFor } from './matching.js';

const FIELDS = { service: 'checkout', instance: 'db-1', alertname: 'DiskFull' };
const read = (text: string): SilenceMatcher => readMatcher(text)!;
const matches = (...texts: string[]): boolean =>
  silenceFor([{ id: 's', matchers: texts.map(read) }], FIELDS) !== null;

describe('matchers of a silence', () => {
  it.each([
    [['service=checkout'], true],
    [['service=check'], false],
    [['service!=checkout'], false],
    [['service=checkout', 'instance=~db-.*'], true],
    // A pattern has to match the whole field, as in Alertmanager.
    [['instance=~db'], false],
    [['instance=~db|.*-1'], true],
    [['instance!~db-[2-9]'], true],
    [['service=checkout', 'instance=db-2'], false],
    // A missing field is empty.
    [['region='], true],
    [['region=~.+'], false],
    [['region!=eu'], true],
    // Names of the language are no fields.
    [['constructor='], true],
  ])('%j match: %s', (texts, isMatch) => expect(matches(...texts)).toBe(isMatch));

  it('read what they write, and only an exact value that is not empty is exact', () => {
    for (const text of ['a=b', 'a!=b', 'a=~b.*', 'a!~b', 'a=x=~y'])
      expect(matcherText(read(text))).toBe(text);
    expect(['a=b', 'a=', 'a!=b', 'a=~b', 'a!~b'].map((text) => isExact(read(text)))).toEqual([
      true,
      false,
      false,
      false,
      false,
    ]);
    for (const text of ['', 'a', '=b', '~']) expect(readMatcher(text)).toBeNull();
  });

  it('name a pattern that is not RE2, and match in linear time', () => {
    expect(matcherProblems([read('a=~b'), read('c=~(?=d)')])).toEqual([
      { path: 'matchers[1].value', message: expect.stringContaining('expected a pattern in RE2 syntax') },
    ]);
    const fields = { service: 'checkout', text: `${'a'.repeat(50_000)}!` };
    const matchers = [read('service=checkout'), read('text=~(a+)+$')];
    expect(silenceFor([{ id: 's', matchers }], fields)).toBeNull();
  });
});
