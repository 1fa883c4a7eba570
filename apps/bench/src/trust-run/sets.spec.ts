import { LIES, readSets, type Quote } from './read-set.js';

const { messages, policies, incidents, research } = readSets();

const sum = <T>(all: readonly T[], count: (one: T) => number): number =>
  all.reduce((before, one) => before + count(one), 0);
const distinct = (all: readonly string[]) => new Set(all).size;

/** Words between quotation marks, as the sets write them. */
const quoted = (why: string): string[] =>
  [...why.matchAll(/[“„「]([^”“」]+)[”“」]/gu)].map(([, words]) => words!);

describe('T-31 the sets of answers that quote correctly', () => {
  it('hold 100 dishonest and 200 honest answers of each kind', () => {
    const criteria = policies.flatMap((policy) => policy.criteria);
    const counts = {
      messages: [sum(messages.dishonest, ({ wrong }) => wrong.length), messages.honest.length],
      policies: [
        sum(criteria, ({ wrong }) => wrong.length),
        sum(criteria, ({ variants }) => variants.length),
      ],
      incidents: [sum(incidents, ({ wrong }) => wrong.length), incidents.length],
      research: [sum(research, () => 3), sum(research, ({ honest }) => honest.length)],
    };
    expect(counts).toEqual({
      messages: [102, 214],
      policies: [100, 200],
      incidents: [108, 37],
      research: [120, 200],
    });
    expect(messages.dishonest.length).toBeGreaterThanOrEqual(20);
    expect(policies.length).toBeGreaterThanOrEqual(20);
    expect(incidents.length).toBeGreaterThanOrEqual(20);
    expect(research.length).toBeGreaterThanOrEqual(20);
  });

  it('repeat no id and no text', () => {
    const texts = [
      messages.dishonest.map(({ text }) => text),
      messages.honest.map(({ text }) => text),
      messages.dishonest.flatMap(({ wrong }) => wrong.map(({ why }) => why)),
      policies.flatMap(({ criteria }) => criteria.flatMap(({ wrong }) => wrong.map(({ why }) => why))),
      incidents.map(({ reads }) => JSON.stringify(reads)),
      research.flatMap(({ honest, lies }) => [...honest, ...lies.map(([, lie]) => lie)]),
      [...messages.dishonest, ...messages.honest, ...policies, ...incidents, ...research].map(({ id }) => id),
    ];
    for (const all of texts) expect(distinct(all)).toBe(all.length);
  });

  it('quote the words of a message or of its look-ups', () => {
    const wrong = messages.dishonest.flatMap((message) => {
      const wholeText = `${message.text}\n${JSON.stringify(message.evidence)}`;
      return message.wrong.flatMap(({ why, against }) =>
        [...quoted(why), ...(against === '' ? [] : [against])].filter((words) => !wholeText.includes(words)),
      );
    });
    expect(wrong).toEqual([]);
    expect(sum(messages.dishonest, (one) => sum(one.wrong, ({ why }) => quoted(why).length))).toBeGreaterThan(
      80,
    );
  });

  it('quote the words of a policy', () => {
    const wrong = policies.flatMap(({ id, sections, criteria }) => {
      const bySection = new Map(Object.entries(sections).map(([title, body]) => [title.split(' ')[0], body]));
      const quotes = criteria.flatMap((one) => [
        ...one.quotes,
        ...one.wrong.flatMap(({ quotes, against }) => [...quotes, ...(against === null ? [] : [against])]),
      ]);
      return quotes
        .filter(([section, words]) => bySection.get(section)?.includes(words) !== true)
        .map((one) => [id, ...one]);
    });
    expect(wrong).toEqual([]);
  });

  it('quote the words of look-ups of an incident', () => {
    const wrong = incidents.flatMap(({ id, reads, honest, wrong: dishonest }) => {
      const answers = [...honest, ...dishonest];
      const quotes: Quote[] = [
        ...answers.flatMap(({ causes }) => causes.flatMap(([, , cited]) => cited)),
        ...answers.flatMap(({ out }) => out.flatMap(([, cited]) => cited)),
        ...answers.flatMap(({ falseAlarm }) => falseAlarm ?? []),
        ...dishonest.map(({ against }) => against),
      ];
      return quotes
        .filter(([read, words]) => reads[Number(read.slice(1)) - 1]?.[2].includes(words) !== true)
        .map((one) => [id, ...one]);
    });
    expect(wrong).toEqual([]);
  });

  it('cite sources of a research question that exist', () => {
    const wrong = research.flatMap(({ id, sources, honest, lies }) =>
      [...honest, ...lies.map(([, lie]) => lie)]
        .filter((sentence) =>
          [...sentence.matchAll(/\[E(\d+)\]/g)].some(([, n]) => sources[Number(n) - 1] === undefined),
        )
        .map((sentence) => [id, sentence]),
    );
    expect(wrong).toEqual([]);
  });

  it.each(['zh', 'en'])('hold 100 honest sentences and 15 lies of each kind in %s', (language) => {
    const own = research.filter((one) => one.language === language);
    expect(sum(own, ({ honest }) => honest.length)).toBe(100);
    const lies = own.flatMap((one) => one.lies.map(([kind]) => kind));
    for (const kind of LIES)
      expect({ kind, count: lies.filter((one) => one === kind).length >= 15 }).toEqual({ kind, count: true });
  });
});
