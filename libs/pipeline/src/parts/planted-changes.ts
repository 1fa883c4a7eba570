import type { PlantedChange } from '@casefile/contracts';
import type { PlantedRecord } from './planted-record.js';
import opposites from './words/opposite-states.json' with { type: 'json' };

/** Words that a claim is made from. `of`: the source of the words; null: they are of a claim. */
interface Statement {
  text: string;
  of: string | null;
}

/** Makes a false statement by one change; null: these words have no value of the kind. */
type Change = (statement: Statement, record: PlantedRecord, random: () => number) => string | null;

/** Draws of a value before a change is given up. */
const DRAWS = 12;
const FACTORS = [0.23, 0.37, 0.61, 1.7, 2.3, 2.9, 3.7, 4.3, 7.1] as const;

/** Names with a sign, as those of hosts, services and files; else words with a capital behind a small letter. */
const SIGNED =
  /(?<![\p{L}\p{N}_.@/-])\p{Script=Latin}[\p{Script=Latin}\p{N}]*(?:[-_.][\p{Script=Latin}\p{N}]+)+/gu;
const CAPITAL = /(?<=\p{Ll},? )\p{Lu}\p{L}{2,}/gu;

const subject: Change = ({ text }, record, random) => {
  const names = [...text.matchAll(SIGNED), ...text.matchAll(CAPITAL)].map(([name]) => name);
  const name = drawn(
    names.filter((one) => record.isInSource(one)),
    random,
  );
  return name === null ? null : text.replaceAll(name, record.newName(name, random));
};

const FIGURE = /(?<![\p{L}\p{N}.,:_/-])\d+(?:[.,]\d+)?(?![\p{L}\d]|[.,:/-]\d)/gu;

const figure: Change = ({ text }, record, random) => {
  const figures = [...text.matchAll(FIGURE)].filter(
    ([number]) => Number(number.replace(',', '.')) > 0 && record.isInSource(number),
  );
  const match = drawn(figures, random);
  if (match === null) return null;
  const [number] = match;
  const decimals = /[.,](\d+)$/.exec(number)?.[1]?.length ?? 0;
  for (let draw = 0; draw < DRAWS; draw += 1) {
    const factor = FACTORS[Math.floor(random() * FACTORS.length)]!;
    const value = Number(
      (Number(number.replace(',', '.')) * factor + Math.floor(random() * 3)).toFixed(decimals),
    );
    const written = value.toFixed(decimals).replace('.', number.includes(',') ? ',' : '.');
    if (value > 0 && !record.hasValue(value) && !record.has(written)) return replaced(text, match, written);
  }
  return null;
};

/**
 * Units of one measure: a unit, a unit that is far larger or smaller, and the seconds of the latter; 0: it measures
 * no time.
 */
const UNITS: readonly (readonly [own: string, other: string, seconds: number])[] = [
  ['us', 'min', 60],
  ['µs', 'min', 60],
  ['ms', 'min', 60],
  ['s', 'days', 86_400],
  ['seconds', 'days', 86_400],
  ['min', 'weeks', 604_800],
  ['minutes', 'weeks', 604_800],
  ['hours', 'months', 2_629_800],
  ['days', 'years', 31_557_600],
  ['KB', 'TB', 0],
  ['MB', 'PB', 0],
  ['GB', 'KB', 0],
  ['m', 'km', 0],
  ['kg', 'tonnes', 0],
  ['Minuten', 'Wochen', 604_800],
  ['Stunden', 'Monate', 2_629_800],
  ['Tage', 'Jahre', 31_557_600],
  ['minutos', 'semanas', 604_800],
  ['horas', 'meses', 2_629_800],
  ['heures', 'mois', 2_629_800],
  ['jours', 'années', 31_557_600],
  ['分鐘', '個月', 2_629_800],
  ['小時', '年', 31_557_600],
];
const UNIT_OF = new Map(UNITS.map(([own, other, seconds]) => [own, { other, seconds }]));
/** Units of time in seconds, in which the record may state the same time. */
const IN_SECONDS = [0.001, 1, 60, 3_600, 86_400, 604_800, 2_629_800, 31_557_600] as const;
const MEASURED = new RegExp(
  `(?<![\\p{L}\\p{N}.,:_/-])(\\d+(?:[.,]\\d+)?)( ?)(${[...UNIT_OF.keys()].toSorted((a, b) => b.length - a.length).join('|')})(?![\\p{Script=Latin}\\p{N}])`,
  'gu',
);

const unit: Change = ({ text }, record, random) => {
  const quantities = [...text.matchAll(MEASURED)].filter(([whole]) => record.isInSource(whole));
  const match = drawn(quantities, random);
  if (match === null) return null;
  const [, number = '', space = '', own = ''] = match;
  const { other, seconds } = UNIT_OF.get(own)!;
  const written = `${number}${space}${other}`;
  const inSeconds = Number(number.replace(',', '.')) * seconds;
  const isStated =
    record.has(`${number}${other}`) ||
    record.has(written) ||
    (seconds > 0 && IN_SECONDS.some((one) => one !== seconds && record.states(inSeconds / one)));
  return isStated ? null : replaced(text, match, written);
};

const CLOCK = /(?<![\d:-])([01]?\d|2[0-3]):([0-5]\d)(?![\d])/g;
const DAY = /(?<!\d)\d{4}-\d{2}-\d{2}(?!\d)/g;
const DAY_MS = 86_400_000;

const time: Change = ({ text }, record, random) => {
  const match = drawn(
    [...text.matchAll(CLOCK), ...text.matchAll(DAY)].filter(([written]) => record.isInSource(written)),
    random,
  );
  if (match === null) return null;
  const [whole, hour, minute] = match;
  for (let draw = 0; draw < DRAWS; draw += 1) {
    const written =
      hour === undefined || minute === undefined
        ? dayAfter(whole, 11 + Math.floor(random() * 300))
        : clockAfter(Number(hour), Number(minute), 121 + Math.floor(random() * 900));
    const [, later] = written.split(':');
    const isFree = later === undefined || !record.hasMinute(Number(later));
    if (isFree && !record.has(written)) return replaced(text, match, written);
  }
  return null;
};

function clockAfter(hour: number, minute: number, later: number): string {
  const at = (hour * 60 + minute + later) % 1_440;
  return [Math.floor(at / 60), at % 60].map((part) => String(part).padStart(2, '0')).join(':');
}

function dayAfter(day: string, days: number): string {
  const at = Date.parse(day);
  return Number.isFinite(at) ? new Date(at + days * DAY_MS).toISOString().slice(0, 10) : day;
}

const STATES = opposites.flatMap((pair) => {
  const [one, other] = pair as [string, string];
  return [
    { own: wordPattern(one), other },
    { own: wordPattern(other), other: one },
  ];
});

function wordPattern(word: string): RegExp {
  return new RegExp(`(?<!\\p{Script=Latin})${word}(?!\\p{Script=Latin})`, 'u');
}

/**
 * Turns a state round. Another line may report the later state of the same subject in other words, so only a line
 * whose subject no other line names is turned round.
 */
const polarity: Change = ({ text, of }, record, random) => {
  if (of === null) return null;
  const names = [...text.matchAll(SIGNED)].map(([name]) => name);
  if (!names.some((name) => record.linesWith(name) === 1)) return null;
  const pair = drawn(
    STATES.filter(({ own, other }) => own.test(text) && !record.has(other)),
    random,
  );
  return pair === null ? null : replaced(text, pair.own.exec(text)!, pair.other);
};

/** Every change that makes a false statement. */
export const changes: readonly { name: PlantedChange; apply: Change }[] = [
  { name: 'subject', apply: subject },
  { name: 'figure', apply: figure },
  { name: 'unit', apply: unit },
  { name: 'time', apply: time },
  { name: 'polarity', apply: polarity },
];

function drawn<T>(all: readonly T[], random: () => number): T | null {
  return all.length === 0 ? null : all[Math.floor(random() * all.length)]!;
}

const replaced = (text: string, { 0: own, index }: RegExpExecArray, by: string): string =>
  `${text.slice(0, index)}${by}${text.slice(index + own.length)}`;
