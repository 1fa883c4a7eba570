import { romanisedHindi } from '../language/romanised-hindi.js';
import { FUNCTION_WORDS } from './lexicon-hi-latn.js';
import type { Token } from './tokens.js';

/** Words that Spanish, Portuguese or Malay have as well. */
const OTHERS_TOO = new Set('me se a ya ka ki ko pe h ha lo mat ek do be wo bas din to'.split(' '));
/** Words that hardly a sentence of the three languages is without. */
const COMMON = new Set(
  [
    ...FUNCTION_WORDS,
    ...'the is are you your for of and it we i my at with this that have has not can our by as please he she they his her what why who did but all one out on if us just its get got going from yes pls late been about into over after before until them their there then when where how some any only more off up now new be will within would could should dont cant wont didnt doesnt isnt'.split(
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
/** Marks that name something: a text of nothing else is not harmless because it has no words. */
const NAMING = new Set(['LINK', 'MAIL', 'PHONE', 'HANDLE', 'PAYID', 'COIN', 'APK']);
/** Share of common words from which a text is in one of the languages, and words below which a text is too short to tell. */
const COMMON_SHARE = 0.08;
const FEW_WORDS = 4;
/** How verbs of romanised Hindi end, whatever the spelling before. */
const HINDI_VERB =
  /^[a-z]{1,12}(?:ung[ai]|unga|enge|eg[ai]|oge|ogi|iyega|kar|krna|rha|rhi|rhe|raha|rahi|rahe)$/;
const LETTERS_READ = /^[\p{Script=Latin}\p{Script=Devanagari}]/u;

/**
 * Can the rules tell what a text says? Where it is English, Hindi or romanised Hindi by its common words; and where it has
 * too few words to tell, in their letters, and names nothing. Whoever judges by rules goes by this: what cannot be read
 * shows no signs either. Linear in the length of the text.
 */
export function isReadable(tokens: readonly Token[]): boolean {
  const words = tokens.map(({ plain }) => plain).filter((plain) => /^\p{Ll}|^\p{Lo}/u.test(plain));
  const common = words.filter((word) => COMMON.has(word) || HINDI_VERB.test(word)).length;
  if (words.length < FEW_WORDS) {
    const isNamed = tokens.some(({ plain }) => NAMING.has(plain));
    return words.every((word) => LETTERS_READ.test(word)) && (!isNamed || common > 0);
  }
  if (words.filter(({ length }) => length === 1).length > words.length / 2) return false;
  if (words.filter((word) => NEIGHBOURS.has(word)).length / words.length >= COMMON_SHARE) return false;
  return common / words.length >= COMMON_SHARE || romanisedHindi(words.join(' ')) > 0;
}
