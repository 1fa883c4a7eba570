import { factName, type TypedClaim } from '@casefile/contracts';
import { measuresIn } from '@casefile/pipeline/claims/index';
import { parseTime } from '@casefile/pipeline/reading/index';
import { nameTerms, type AnswerGround } from './ground.js';
import { hasTerm, termsIn } from './terms.js';
import { AFTER, BEFORE } from './word-tables.js';

/** Compares times of day in their zones, and the order of dated facts with the order that a sentence demands. */
export const checkTimes = (ground: AnswerGround): TypedClaim[] => [
  ...checkZones(ground),
  ...checkOrder(ground),
];

const CLOCK =
  /(?<![\d:.,-])(?<hour>[01]?\d|2[0-3])(?::(?<minute>[0-5]\d)|\s?h(?![\p{L}\d])(?:\s?(?<more>[0-5]\d))?)(?![\d:])/gu;
const NEAR = 30;
const ZONE_BEFORE = /(?<zone>[\p{Script=Han}]{2,4}?)(?:時間|时间|時区)\s?$/u;

interface Clock {
  minutes: number;
  /** Zone in lower case; null: none is stated. */
  zone: string | null;
  said: string;
}

function clocksIn(text: string): Clock[] {
  const found = [...text.matchAll(CLOCK)].map((match): Clock & { at: number; end: number } => {
    const { 0: said, index: at, groups = {} } = match;
    const minutes = Number(groups['hour']) * 60 + Number(groups['minute'] ?? groups['more'] ?? 0);
    const end = at + said.length;
    const behind = text.slice(end, end + NEAR).replace(/^\s(?:Uhr)/u, '');
    const zone =
      zoneBehind(behind) ??
      ZONE_BEFORE.exec(text.slice(Math.max(0, at - NEAR), at))?.groups?.['zone'] ??
      null;
    return { minutes, zone: zone?.toLowerCase() ?? null, said, at, end };
  });
  // The zone behind a range is that of both ends.
  return found.map((one, i) => ({
    ...one,
    zone: one.zone ?? found.slice(i + 1).find(({ zone }) => zone !== null)?.zone ?? null,
  }));
}

/** A zone behind a time of day: an offset, an abbreviation, or a place. */
const ZONE_BEHIND =
  /^(?:(?:local time|hora|heure|ora|tijd)\s?\(?)?\s?(?:d[eu]l?\s|d['’]|di\s)?(?<zone>(?:UTC|GMT)(?:[+-]\d{1,2})?|[A-Z]{3,4}(?!\p{L})|\p{Lu}\p{L}{2,20}(?:\s(?:de\s)?\p{Lu}\p{L}{2,20})?|[\p{Script=Han}]{2,4}(?=時間|时间))/u;

const zoneBehind = (text: string): string | null =>
  ZONE_BEHIND.exec(text.replace(/^[\s(,]{1,3}/u, ''))?.groups?.['zone'] ?? null;

/**
 * A rationale that compares a time of day of a fact with one of a sentence as they are written, although their zones
 * differ. A rationale with the converted time is not concerned.
 */
function checkZones({ rationale, sentences, facts }: AnswerGround): TypedClaim[] {
  const said = clocksIn(rationale);
  if (said.length === 0) return [];
  const has = (clocks: readonly Clock[], { minutes }: Clock) => clocks.some((one) => one.minutes === minutes);
  for (const fact of facts) {
    const own = clocksIn(String(fact.value)).filter(({ zone }) => zone !== null);
    for (const { text, section } of sentences) {
      const theirs = clocksIn(text).filter(({ zone }) => zone !== null);
      const [one, other] = [own[0], theirs[0]];
      if (one === undefined || other === undefined || sameZone(one.zone!, other.zone!)) continue;
      const isRaw = said.every((clock) => has(own, clock) || has(theirs, clock));
      if (isRaw && said.some((clock) => has(own, clock)) && said.some((clock) => has(theirs, clock)))
        return [
          {
            dimension: 'time',
            stated: rationale.slice(0, 200),
            says: `${factName(fact.name)} = ${String(fact.value)}; ${text}`.slice(0, 200),
            source: section.name,
            result: 'contradicted',
          },
        ];
    }
  }
  return [];
}

const sameZone = (a: string, b: string): boolean => a === b || hasTerm(termsIn(a), b);

const REACH = 30;

/** `The works begin after the licence` with the dates of the works and of the licence. */
function checkOrder({ status, sentences, facts, language }: AnswerGround): TypedClaim[] {
  const dated = facts.flatMap((fact) => {
    const time = parseTime(fact.value)?.dateMs;
    return time === undefined ? [] : [{ fact, time, terms: nameTerms([fact]) }];
  });
  if (dated.length !== 2) return [];
  return sentences.flatMap(({ text, section }): TypedClaim[] => {
    const [before, after] = [BEFORE.first(text, language), AFTER.first(text, language)];
    if ((before === null) === (after === null) || measuresIn(text, language).length > 0) return [];
    const word = (before ?? after)!;
    const isHan = /\p{Script=Han}/u.test(word.said);
    const [lead, behind] = [text.slice(0, word.from), text.slice(word.to, word.to + REACH)];
    const events = dated.filter(({ fact, terms }) =>
      isHan
        ? lead.endsWith(factName(fact.name))
        : terms.some((term) => hasTerm(termsIn(behind), term) && !hasTerm(termsIn(lead), term)),
    );
    const [event] = events;
    if (event === undefined || events.length > 1) return [];
    const act = dated.find((one) => one !== event)!;
    if (act.time === event.time) return [];
    const isKept = act.time < event.time === (before !== null);
    const shown = dated.map(({ fact }) => `${factName(fact.name)} = ${String(fact.value)}`).join(', ');
    return [
      {
        dimension: 'order',
        stated: text.slice(0, 200),
        says: shown,
        source: section.name,
        result: isKept === (status === 'MET') ? 'holds' : 'contradicted',
      },
    ];
  });
}
