/**
 * Abbreviations within sentences, by language. Single letters (`z. B.`) and chains (`d.w.z.`) need no entry.
 */
const CONTINUING = [
  // English
  'Mr Mrs Ms Mx Dr Prof St Messrs Gen Col Maj Capt Lt Sgt Rev Hon Gov Sen Rep Pres Supt vs etc approx dept',
  'Jan Feb Mar Apr Jun Jul Aug Sep Sept Oct Nov Dec e.g i.e cf viz al Mt Ft',
  // German
  'Hr Hrn Fr Frl Dipl Ing Mag Univ bzw ca vgl ggf evtl inkl exkl zzgl abzgl bspw sog Mio Mrd Tsd geb gest lt',
  'insb einschl ehem eigtl allg bes entspr gem gegr jew mind mögl städt staatl südl nördl östl westl zw Mrz Okt Dez usf',
  // French
  'Mme Mlle Mgr env av apr janv févr juil déc',
  // Spanish, Portuguese, Italian
  'Sr Sra Srta Sres Dra Ud Uds EE aprox avda gral ej Exmo Exma Dott Sig Avv',
  // Dutch, Danish, Norwegian, Swedish
  'dhr mevr drs mr bijv kl fx pga tlf mht evt dir hr frk resp bl',
  // Polish, Czech, Russian
  'np tzn tzw im ul prof inż doc mgr např tzv ул им тыс млн млрд гос проф акад напр',
];
/** Abbreviations before numbers; at the end of a sentence they are words (`The answer was no.`). */
const BEFORE_NUMBER = [
  'No Nos Nr Nrn Art Arts Abs Ziff Fig Figs Abb Tab Vol Ch Sec Kap Bd Rn Az pp pg Para Par Anm Str Tel Pos Jg Aufl',
  'núm núms pág págs nº num art pag cap blz blz č čl str гл ст пп рис Bldg Rte Sept Apt Ver Eq Ref est max min',
];
/** Nouns that follow an ordinal without an article: `Ende 19. Jahrhundert`. */
const COUNTED =
  'Jahrhundert Jh Jhd Quartal Halbjahr Weltkrieg Bundesliga Liga Auflage Spieltag Lebensjahr Obergeschoss';
/** Words before an ordinal, which never end a sentence: `am 12. März`, `der 3. Platz`. */
const BEFORE_ORDINAL =
  'am im vom zum zur beim der die das dem den des jeder jede jedes jeden jedem ein eine einen einem einer ' +
  'ihr ihre ihren ihrem sein seine seinen seinem unser unsere unseren det';
/** Capitalised words that begin the next sentence, so that the number before them is not an ordinal. */
const STARTING =
  'der die das er sie es wir ich ihr im am in an auf bei mit nach von vor zu danach dann dort doch aber und auch dies diese ' +
  'dieser dieses ein eine wer was wie wo den dem des han hun det de så men og och vi jeg jag for för';
/** Spellings of months in addition to those of the locales. */
const MONTHS = 'mrz jän jänner feber sept okt dez';
/** Locales that write the day before the month with a point and the month with a capital, or whose months are often capitalised. */
const MONTH_LOCALES = 'de de-AT da nb nn sv fi is cs sk pl hu hr sl sr-Latn et lv lt lb'.split(' ');

const words = (...lists: string[]): Set<string> =>
  new Set(lists.flatMap((list) => list.toLowerCase().split(' ')));

const continuing = words(...CONTINUING);
const beforeNumber = words(...BEFORE_NUMBER);
const counted = words(COUNTED);
const beforeOrdinal = words(BEFORE_ORDINAL);
const starting = words(STARTING);
const months = new Set([...words(MONTHS), ...MONTH_LOCALES.flatMap(localeMonths)]);

function localeMonths(locale: string): string[] {
  const forms = (['long', 'short'] as const).flatMap((month) => [
    new Intl.DateTimeFormat(locale, { month, timeZone: 'UTC' }),
    // Many languages inflect the month after a day.
    new Intl.DateTimeFormat(locale, { month, day: 'numeric', timeZone: 'UTC' }),
  ]);
  const days = Array.from({ length: 12 }, (_, month) => Date.UTC(2026, month, 15));
  return days.flatMap((day) =>
    forms.flatMap((form) =>
      form
        .formatToParts(day)
        .filter(({ type, value }) => type === 'month' && /^\p{L}/u.test(value))
        .map(({ value }) => value.toLowerCase().replace(/\.$/, '')),
    ),
  );
}

/** UTF-16 units around a point that are examined. */
const LOOKED_AT = 40;

/**
 * Returns whether a sentence continues after the point at `at`: the point belongs to an abbreviation, an
 * initial or an ordinal number, or a lower-case word follows. Examines a bounded part of the text.
 */
export function continuesAfterPoint(text: string, at: number): boolean {
  const before = text.slice(Math.max(0, at - LOOKED_AT), at);
  const after = text.slice(at + 1, at + 1 + LOOKED_AT);
  const next = /^[^\S\n\r]*(.*)/su.exec(after)?.[1] ?? '';
  if (next === '' || /^[\n\r]/.test(next)) return false;
  // `am 10./11. März`
  if (/^\p{Ll}/u.test(next) || /^[/,;:–-]/.test(after)) return true;
  const word = (before.split(/[^\p{L}\p{M}\p{N}º.]/u).at(-1) ?? '').toLowerCase();
  if (/^\p{L}/u.test(word)) return isAbbreviation(word, before, next);
  const number = /(?<![\p{N}.,])\d{1,3}$/u.exec(before);
  return number !== null && isOrdinal(before.slice(0, number.index), Number(number[0]), next);
}

function isAbbreviation(word: string, before: string, next: string): boolean {
  // `5 p.m.` ends sentences; an initial and a chain of short parts do not.
  if (word.includes('.')) return /^(?:\p{L}{1,2}\.)+\p{L}{1,3}$/u.test(word) && !/^[ap]\.m$/.test(word);
  // `p. ex.`
  if (word === 'ex' && /\bp\.\s?ex$/i.test(before)) return true;
  if (word.length === 1 && /^[\p{Lu}\p{Ll}]$/u.test(word)) return true;
  return continuing.has(word) || (beforeNumber.has(word) && /^[\d§]/.test(next));
}

function isOrdinal(lead: string, number: number, next: string): boolean {
  // `12. 3. 2026`
  if (number <= 31 && /^\d{1,2}\.(?:\s|\d|$)/.test(next)) return true;
  const follower = /^\p{L}[\p{L}\p{M}]*/u.exec(next)?.[0].toLowerCase() ?? '';
  const leader =
    lead
      .trimEnd()
      .split(/[\s(„“"]/)
      .at(-1)
      ?.toLowerCase() ?? '';
  if ((number <= 31 && months.has(follower)) || counted.has(follower)) return true;
  return follower !== '' && beforeOrdinal.has(leader) && !starting.has(follower) && !/\bI am\s*$/.test(lead);
}
