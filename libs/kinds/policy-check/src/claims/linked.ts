import type { TypedClaim } from '@casefile/contracts';
import { measuresIn } from '@casefile/pipeline/claims/index';
import type { AnswerGround } from './ground.js';
import { hasTerm, termsIn } from './terms.js';
import { isRead } from './word-tables.js';

const SHOWN = 200;

/**
 * Returns the parts that are shown whatever the other comparisons find: whether the cited sentences are about the criterion
 * or the facts, which figures of the rationale are on the record, and what the language does not allow to read.
 */
export const checkLinks = (ground: AnswerGround): TypedClaim[] => [
  ...checkSubject(ground),
  ...checkFigures(ground),
  ...unread(ground),
];

function checkSubject({ asked, sentences, terms, rationale }: AnswerGround): TypedClaim[] {
  const sought = [...termsIn(`${asked} ${rationale}`), ...terms.facts];
  const linked = sentences.find(({ text, section }) =>
    termsIn(`${section.title} ${text}`).some((term) => hasTerm(sought, term)),
  );
  return [
    {
      dimension: 'subject',
      stated: asked.slice(0, SHOWN),
      says: linked?.text.slice(0, SHOWN) ?? 'no cited sentence has its words',
      source: linked?.section.name ?? null,
      result: linked === undefined ? 'not_checked' : 'holds',
    },
  ];
}

function checkFigures({ rationale, language, facts, sentences, asked }: AnswerGround): TypedClaim[] {
  const stated = facts.map(({ name, value, unit = '' }) => `${name} ${value} ${unit}`);
  const record = measuresIn([asked, ...stated, ...sentences.map(({ text }) => text)].join('\n'), language);
  const computed = measuresIn(rationale, language).filter(
    (one) => !record.some(({ value, base }) => value === one.value || base === one.base),
  );
  return computed.slice(0, 4).map(({ said }) => ({
    dimension: 'quantity',
    stated: said,
    says: 'not a figure of the record; it may be computed',
    source: null,
    result: 'not_checked',
  }));
}

function unread({ language, rationale, sentences: [first] }: AnswerGround): TypedClaim[] {
  if (isRead(language)) return [];
  return (['scope', 'state', 'clause'] as const).map((dimension) => ({
    dimension,
    stated: rationale.slice(0, SHOWN),
    says: 'the language has no word lists',
    source: first?.section.name ?? null,
    result: 'not_checked',
  }));
}
