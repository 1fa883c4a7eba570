export { boundBefore, comparesWrongly, comparisonWords, withoutComparisons } from './bounds.js';
export { clausesOf, findOpposite, type Clause } from './clauses.js';
export { findDenial } from './counted.js';
export { dateOfIso, datesIn, relativeDatesIn, sameDate, type DateClaim, type FoundDate } from './dates.js';
export { figuresIn, figuresOtherwise, sameFigure, type Figure } from './figures.js';
export {
  holdsQuote,
  holdsWords,
  isTooFewWords,
  isTooShort,
  nearestPassage,
  normalQuote,
  normalText,
  normalWords,
  quotesIn,
  quoteText,
  sameValue,
} from './find-quote.js';
export { isStopWord } from './function-words.js';
export { latestTimeIn, sinceInText } from './times-in-text.js';
export { figureIn, limitsIn, type Limit, type Relation } from './limits.js';
export { parseTime, timesBetween } from './parse-time.js';
export {
  ENGLISH_MONTHS,
  ENGLISH_WEEKDAYS,
  englishMonth,
  followsOrdinal,
  isShortMonth,
  MONTH_STARTS,
} from './months.js';
export { ABSENCE_WORDS, isNegation, negationWords, saysNothing } from './negation.js';
export { digitNumbersIn, parseNumber } from './digits.js';
export {
  groupPeriod,
  PERIOD_LINK,
  PERIOD_PHRASE,
  periodKey,
  periodLength,
  questionPeriods,
  withPlainPeriods,
  type WrittenPeriod,
} from './periods.js';
export {
  compareQuantities,
  findContradictingFigure,
  findRival,
  quantitiesIn,
  type Comparison,
  type Quantity,
} from './quantities.js';
export { plainFiguresIn, RecordFigures, tokensWithDigits } from './record-figures.js';
export { countScripts, eastAsianLanguage, hasHan, mainScript, nameText } from './script.js';
export { countShared, isLike, shinglesOf } from './shingles.js';
export { unitFrom } from './units.js';
export { detectWriting, pointFiguresIn, withPointNumbers, type Writing } from './writing.js';
export { compareMeasures, isKnownUnit, measureOf, measureIn, type Measure } from './measures.js';
