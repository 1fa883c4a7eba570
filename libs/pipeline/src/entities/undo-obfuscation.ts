/** First code point of the ten digits of scripts in common use; NFKC leaves them as they are. */
const ZEROS = [0x660, 0x6f0, 0x966, 0x9e6, 0xa66, 0xae6, 0xb66, 0xbe6, 0xc66, 0xce6, 0xd66];
const STYLED = /[\uff01-\uff5e\u2460-\u24ff\u{1d400}-\u{1d7ff}\u{1f130}-\u{1f149}]/u;

/** Top-level domains that are spelled out in messages; any word could be one, so not all are taken. */
const SPELLED_ENDS = new Set(
  (
    'com net org info biz io co in uk us me app xyz top online site shop store club live link vip icu cc tk ml ' +
    'buzz ru cn de fr eu au ca br ng za dev pro support help example'
  ).split(' '),
);
const ARTICLES = new Set('a an the this that each every one no'.split(' '));
/** How much longer a text may become when compatibility characters are taken apart (one of them becomes 18). */
const MAX_GROWTH = 2;

interface Rule {
  pattern: RegExp;
  by: string | ((...found: string[]) => string);
  note: string;
}

// Every repeat is bounded, so that no text makes these slow.
const RULES: readonly Rule[] = [
  { pattern: /\bh(?:xx|\*\*|__)p(s?)(?=\s{0,2}[:[])/gi, by: 'http$1', note: 'A link was written as "hxxp".' },
  { pattern: /[[({]\s?:\s?(\/\/)?\s?[\])}]/g, by: ':$1', note: 'A colon was written in brackets.' },
  {
    pattern: /\b(https?)(?:\s{1,2}:\s{0,2}|:\s{1,2})\/\s{0,2}\/\s{0,2}/gi,
    by: '$1://',
    note: 'A link was written with spaces.',
  },
  {
    pattern: /(?<=[\p{L}\p{N}])\s{0,2}[[({<]\s{0,2}(?:\.|dot)\s{0,2}[\])}>]\s{0,2}(?=[\p{L}\p{N}])/giu,
    by: '.',
    note: 'A dot was written in brackets.',
  },
  {
    pattern: /(?<=[\p{L}\p{N}])\s{0,2}[[({<]\s{0,2}(?:@|at)\s{0,2}[\])}>]\s{0,2}(?=[\p{L}\p{N}])/giu,
    by: '@',
    note: 'An @ was written in brackets.',
  },
  {
    pattern: /(?<=[a-z0-9])\u3002(?=[a-z0-9])/gi,
    by: '.',
    note: 'A dot of another script was used in an address.',
  },
  {
    pattern: /\b[a-z0-9-]{1,63}(?:[ \t]{1,3}dot[ \t]{1,3}[a-z0-9-]{1,63}){1,5}/gi,
    by: spelledDots,
    note: 'A dot was spelled out.',
  },
];

/** Undoes ways of hiding an address that are in common use; a note for each that was met. S1-02. */
export function undoObfuscation(text: string): { text: string; notes: string[] } {
  const styled = STYLED.test(text) ? ['Fullwidth or styled characters stand for plain ones.'] : [];
  const start = {
    text: plainDigits(text.normalize('NFKC').slice(0, text.length * MAX_GROWTH)),
    notes: styled,
  };
  return RULES.reduce((state, { pattern, by, note }) => {
    const changed = state.text.replace(pattern, by as string);
    return changed === state.text ? state : { text: changed, notes: [...state.notes, note] };
  }, start);
}

function plainDigits(text: string): string {
  return text.replace(/[\u0660-\u0d6f]/g, (c) => {
    if (!/\p{Nd}/u.test(c)) return c;
    const code = c.charCodeAt(0);
    const zero = ZEROS.find((first) => code >= first && code <= first + 9);
    return zero === undefined ? c : String(code - zero);
  });
}

// "dot" is also a word: only a name that ends as addresses do was one, and no name begins with an article.
function spelledDots(found: string): string {
  const labels = found.toLowerCase().split(/[ \t]{1,3}dot[ \t]{1,3}/);
  const isAddress = SPELLED_ENDS.has(labels.at(-1) ?? '') && !ARTICLES.has(labels[0] ?? '');
  return isAddress ? labels.join('.') : found;
}
