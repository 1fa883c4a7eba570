import { UNDETERMINED, type DetectedLanguage, romanisedHindi } from '../language/detect-language.js';
import { FUNCTION_WORDS } from './lexicons/index.js';
import type { Token } from './tokens.js';

/** Words that Spanish, Portuguese or Malay also have. */
const OTHERS_TOO = new Set('me se a ya ka ki ko pe h ha lo mat ek do be wo bas din to'.split(' '));
/** Words that occur in almost every sentence of the three languages. */
const COMMON = new Set(
  [
    ...FUNCTION_WORDS,
    ...'the is are you your for of and it we i my at with this that have has not can our by as please he she they his her what why who did but all one out on if us just its get got going from yes pls late been about into over after before until them their there then when where how some any only more off up now new be will within would could should dont cant wont didnt doesnt isnt'.split(
      ' ',
    ),
    ...'see know think come back tell ask wait meet call home work time day good night morning love happy really very much many more here well too make take give want need feel sleep dinner lunch class school office busy thanks sorry yeah okay hello hey'.split(
      ' ',
    ),
    ...'ready already anything something nothing everything someone anyone everyone always tomorrow tonight today yesterday again right never ever having getting doing watching waiting leaving coming thinking working sleeping driving talking taking making trying looking smiling joking going hungry great soon around sent done things friends friend house birthday forgot thought remember finished does goes went were him youre hes shes theres though enough quite probably yourself maybe might sweet bring leave straight which while those than unbelievable decision wonderful holiday mistake exams'.split(
      ' ',
    ),
    // As people spell text messages.
    ...'u ur wat wats wot gonna wanna gotta dunno tmr tmrw tonite pls plz thx thanx ive im thats whats hows lets gud lor lah leh wif liao dun haf thk oso juz haha lol yup nope okie aight luv nite wid dat dats knw frnd frnds bday goin comin doin oredi darlin gudnite thk hw sry ard tmr'.split(
      ' ',
    ),
    ...'है हैं का की के को में से और हो था थे थी पर ने यह ये वह वो आप आपका आपके आपकी मैं मेरा मेरे हम तो भी नहीं ही रहा रही रहे गया गई करें लिए कि जी अभी कल आज'.split(
      ' ',
    ),
  ].filter((word) => !OTHERS_TOO.has(word)),
);
/** Words of Marathi and Nepali, which share letters and many words with Hindi. */
const NEIGHBOURS = new Set(
  'आहे आहेत आणि तुमचे तुमच्या तुम्ही तुम्हाला आम्ही नाही माझा माझी माझे मध्ये साठी झाले झाला करा असल्यास नसेल असेल यावे छ छन् छैन तपाईं तपाईंको हुन्छ भयो गर्नुहोस् मलाई हामी'.split(
    ' ',
  ),
);
/** Marks of entities. A text that consists only of these is not harmless, although it has no words. */
const NAMING = new Set(['LINK', 'MAIL', 'PHONE', 'HANDLE', 'PAYID', 'COIN', 'APK']);
/**
 * Share of common words from which a text counts as being in one of the languages, and number of words below
 * which a text is too short to decide.
 */
const COMMON_SHARE = 0.08;
const FEW_WORDS = 4;
/** Endings of verbs in romanised Hindi, for any spelling of the stem. */
const HINDI_VERB =
  /^[a-z]{1,12}(?:ung[ai]|unga|enge|eg[ai]|oge|ogi|iyega|kar|krna|rha|rhi|rhe|raha|rahi|rahe)$/;
const LETTERS_READ = /^[\p{Script=Latin}\p{Script=Devanagari}]/u;

/**
 * Returns whether the rules can read a text: it is English, Hindi or romanised Hindi by its common words, or
 * it has too few words to decide, is in their scripts and names no entity. A text that cannot be read shows
 * no signs, so rules need this test. Linear in the length of the text.
 */
export function isReadable(tokens: readonly Token[]): boolean {
  const words = tokenWords(tokens);
  const common = words.filter(isCommon).length;
  if (words.length < FEW_WORDS) {
    return words.every((word) => LETTERS_READ.test(word)) && (!isNaming(tokens) || common > 0);
  }
  if (words.filter(({ length }) => length === 1).length > words.length / 2) return false;
  if (words.filter((word) => NEIGHBOURS.has(word)).length / words.length >= COMMON_SHARE) return false;
  return common / words.length >= COMMON_SHARE || romanisedHindi(words.join(' ')) > 0;
}

/** Languages of the lexicons, by the codes of the detector. */
const HINDI = new Set(['hi', 'hi-Latn']);
/**
 * Certainties of the detector, chosen on the labelled messages. It takes romanised Hindi for another language
 * with up to 0.57, and short Hindi for Marathi with up to 0.7. It recognises English with at least 0.48, and
 * takes other languages for English with up to 0.39.
 */
const CERTAIN = {
  english: 0.45,
  likelyEnglish: 0.33,
  unspelled: 0.55,
  latin: 0.6,
  devanagari: 0.75,
  guess: 0.35,
} as const;
/**
 * Number of different common words that suffice although the detector is uncertain. Fewer suffice if it is
 * very uncertain.
 */
const ENOUGH_WORDS = { guess: 2, other: 3 } as const;
/** Share of common words from which a text is read whatever the detector says about its names and spellings. */
const MOSTLY_COMMON = 0.5;
/** Words of one letter, and the abbreviation of a currency, which occur in many languages. */
const IN_MANY_LANGUAGES = new Set(['i', 'kr']);

/**
 * Returns whether the rules can read a text, with the result of the language detector. Linear in the length
 * of the text. Text that is certainly English is read even without a common word, because people use their
 * own spellings.
 */
export function isReadBy(
  tokens: readonly Token[],
  detected: Pick<DetectedLanguage, 'code' | 'certainty'>,
): boolean {
  if (detected.code === 'en' && detected.certainty >= CERTAIN.unspelled) return true;
  if (isEnglishNotice(tokens)) return true;
  return isReadable(tokens) && !isInOtherLanguage(tokens, detected);
}

/** Words of English notices of payments. Together they occur in no other language. */
const OF_NOTICES: ReadonlySet<string> = new Set(
  'acct amt avail available avl balance bal credited date debit debited desc ending spent transferred txn withdrawn'.split(
    ' ',
  ),
);
const ENOUGH_OF_NOTICES = 3;

/** Returns whether a text is a notice with English words, whose names and abbreviations the detector takes for others. */
function isEnglishNotice(tokens: readonly Token[]): boolean {
  const found = new Set(tokens.map(({ plain }) => plain).filter((word) => OF_NOTICES.has(word)));
  return found.size >= ENOUGH_OF_NOTICES;
}

/**
 * Returns whether a text that shares words with the lexicons is in another language, by the language detector. If the
 * detector is unsure, the text's common words decide. Linear in the length of the text.
 */
function isInOtherLanguage(
  tokens: readonly Token[],
  { code, certainty }: Pick<DetectedLanguage, 'code' | 'certainty'>,
): boolean {
  if (HINDI.has(code) || code === UNDETERMINED) return false;
  if (code === 'en' && certainty >= CERTAIN.english) return false;
  const words = tokenWords(tokens);
  if (words.some((word) => /^\p{Script=Devanagari}/u.test(word))) return certainty >= CERTAIN.devanagari;
  const found = words.filter((word) => isCommon(word) && !IN_MANY_LANGUAGES.has(word));
  const common = new Set(found);
  if (common.size >= ENOUGH_WORDS.other && found.length >= MOSTLY_COMMON * words.length) return false;
  if (code !== 'en' && certainty >= CERTAIN.latin) return true;
  // A short text among people who know each other: it has nothing to open, call or pay.
  const isLikelyEnglish = code === 'en' && certainty >= CERTAIN.likelyEnglish && !isNaming(tokens);
  if (isLikelyEnglish && common.size > 0) return false;
  return common.size < (certainty < CERTAIN.guess ? ENOUGH_WORDS.guess : ENOUGH_WORDS.other);
}

function isNaming(tokens: readonly Token[]): boolean {
  return tokens.some(({ plain }) => NAMING.has(plain));
}

function tokenWords(tokens: readonly Token[]): string[] {
  return tokens.map(({ plain }) => plain).filter((plain) => /^\p{Ll}|^\p{Lo}/u.test(plain));
}

function isCommon(word: string): boolean {
  return COMMON.has(word) || HINDI_VERB.test(word);
}
