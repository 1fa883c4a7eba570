import { incidentCases } from './incident-cases.js';
import { messageCases } from './message-cases.js';
import { policyCases } from './policy-cases.js';
import { pairCases } from './research-cases.js';
import type { MessagePair, SortFile } from './read-sorts.js';
import type { TrustCase } from './trust-case.js';

/** Returns the right and the wrong answers of the sorts as cases. */
export function sortCases(files: readonly SortFile[]): TrustCase[] {
  return files.flatMap((file) => casesOf(file).map((one) => ({ ...one, sort: file.sort })));
}

function casesOf(file: SortFile): TrustCase[] {
  switch (file.group) {
    case 'incident': {
      const scenarios = file.rows.map(({ language: _language, ...scenario }) => scenario);
      // A right answer is asked at one severity: the pairs measure the conclusion, not the severity.
      return incidentCases(scenarios).filter(({ id, honest }) => !honest || id.endsWith('-critical'));
    }
    case 'policy':
      return policyCases(file.rows);
    case 'research':
      return file.rows.flatMap(pairCases);
    case 'messages':
      return messageCases({ dishonest: [], honest: file.rows.flatMap(answersTo) }).map((one) =>
        wrongIfSo(one, file.rows),
      );
  }
}

const WRONG = '-wrong';
/** Signs that a wrong accusation names: enough for every mode of message-screening. */
const INVENTED_FLAGS = ['asks for money or data', 'sets a deadline', 'an unknown sender'];

/** Returns the right and the wrong answer to one message. */
function answersTo({ id, language, text, isScam, right, wrong, flags, evidence }: MessagePair) {
  const common = { language, text, evidence, unseen: false };
  const signs = ['nothing unusual'];
  const answer = (says: boolean) =>
    says
      ? { isScam: true, signs: [], flags: isScam ? flags : INVENTED_FLAGS }
      : { isScam: false, signs, flags: [] };
  return [
    { ...common, ...answer(isScam), id, why: right },
    { ...common, ...answer(!isScam), id: `${id}${WRONG}`, why: wrong },
  ];
}

function wrongIfSo(one: TrustCase, rows: readonly MessagePair[]): TrustCase {
  if (!one.id.endsWith(WRONG)) return one;
  const row = rows.find(({ id }) => `${id}${WRONG}` === one.id)!;
  const label = row.against === '' ? ('not_in_it' as const) : ('contradicts' as const);
  return {
    ...one,
    honest: false,
    contradicted: true,
    expected: [],
    wrongWay: row.isScam ? 'dismiss' : 'act',
    claims: [{ text: row.wrong, label, quote: row.against }],
  };
}
