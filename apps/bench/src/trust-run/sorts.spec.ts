import { allCases } from './all-cases.js';
import { readSets } from './read-set.js';
import { readSorts, type SortFile } from './read-sorts.js';
import { sortCases } from './sort-cases.js';

const files = readSorts();
const rows = files.flatMap(rowsOf);

/** Returns the rows of a file with everything that they say. */
function rowsOf(file: SortFile) {
  const all: readonly { id: string; language: string }[] = file.rows;
  return all.map((row) => ({ ...file, id: row.id, language: row.language, words: wordsIn(row) }));
}

/** Words of a row, each once; characters of Chinese and Japanese. Names of fields and results of look-ups do not count. */
function wordsIn(row: object): Set<string> {
  const { id: _id, language: _language, evidence: _looked, ...content } = row as Record<string, unknown>;
  const texts = JSON.stringify(Object.values(content)).replace(/"[a-zA-Z]+":/g, ' ');
  return new Set(texts.toLowerCase().match(/\p{Script=Han}|[\p{L}\p{N}]{3,}/gu) ?? []);
}

const GROUPS = ['incident', 'policy', 'research', 'messages'] as const;
/** Sorts that each group has, and pairs of each. */
const LEAST_SORTS = { incident: 12, policy: 12, research: 10, messages: 5 } as const;
const LEAST_PAIRS = 6;
const LEAST_LANGUAGES = 4;

describe('T-42 the pairs of right and wrong answers by sort', () => {
  it.each(GROUPS)('%s: every sort that exists has enough pairs, in enough languages', (group) => {
    const own = files.filter((file) => file.group === group);
    expect(own.length).toBeGreaterThanOrEqual(LEAST_SORTS[group]);
    for (const file of own) {
      const languages = new Set(rowsOf(file).map(({ language }) => language));
      expect([file.sort, file.rows.length >= LEAST_PAIRS, languages.size >= LEAST_LANGUAGES]).toEqual([
        file.sort,
        true,
        true,
      ]);
    }
  });

  it('no two pairs share more than half of their words', () => {
    const alike: string[] = [];
    for (const [at, one] of rows.entries())
      for (const other of rows.slice(at + 1)) {
        if (one.group !== other.group) continue;
        const shared = [...one.words].filter((word) => other.words.has(word)).length;
        const smaller = Math.min(one.words.size, other.words.size);
        if (shared > smaller / 2) alike.push(`${one.id} ${other.id} ${shared} of ${smaller}`);
      }
    expect(alike).toEqual([]);
  });

  it('every pair has a right and a wrong answer, and no id stands twice in a kind', () => {
    const cases = allCases(readSets(), files);
    const ids = cases.map(({ kind, id }) => `${kind} ${id}`);
    expect(new Set(ids).size).toBe(ids.length);
    for (const { id } of rows) {
      const own = sortCases(files).filter((one) => one.id.startsWith(id));
      expect([id, own.some(({ honest }) => honest), own.some(({ honest }) => !honest)]).toEqual([
        id,
        true,
        true,
      ]);
    }
  });

  it('quotes of both answers stand in the record, word for word', () => {
    const missing: string[] = [];
    const check = (id: string, words: string, record: string | undefined) => {
      if (record?.includes(words) !== true) missing.push(`${id}: ${words}`);
    };
    for (const file of files) {
      if (file.group === 'incident')
        for (const { id, reads, honest, wrong } of file.rows)
          for (const { causes, falseAlarm = [] } of [...honest, ...wrong])
            for (const [read, words] of [...causes.flatMap(([, , cited]) => cited), ...falseAlarm])
              check(id, words, reads[Number(read.slice(1)) - 1]?.[2]);
      if (file.group === 'policy')
        for (const { id, sections, criteria } of file.rows) {
          const section = (key: string) =>
            Object.entries(sections).find(([title]) => title.split(' ')[0] === key)?.[1];
          for (const one of criteria)
            for (const [key, words] of [...one.quotes, ...one.wrong.flatMap(({ quotes }) => quotes)])
              check(id, words, section(key));
        }
      if (file.group === 'research')
        for (const { id, sources, against } of file.rows)
          check(id, against[1], sources[Number(against[0].slice(1)) - 1]?.[2]);
      if (file.group === 'messages') for (const { id, text, against } of file.rows) check(id, against, text);
    }
    expect(missing).toEqual([]);
  });
});
