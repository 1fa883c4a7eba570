const MAX_GUESSES = 2_000;
/** Handles of UPI providers in common use. */
const UPI_BANKS = new Set(
  (
    'ybl ibl axl okaxis oksbi okicici okhdfcbank paytm ptaxis ptsbi pthdfc ptyes upi apl yapl rapl sbi icici hdfcbank axisbank axisb kotak ' +
    'idfcbank pnb barodampay cnrb federal indus jupiteraxis fam freecharge ikwik airtel waaxis wahdfcbank waicici wasbi superyes'
  ).split(' '),
);
const UPI = /(?<![\w.@-])[a-z0-9][a-z0-9._-]{1,100}@[a-z][a-z0-9]{1,63}(?![\w@-]|\.[a-z0-9])/gi;
const UPI_TALK = /\b(?:upi|vpa|bhim|gpay|google pay|phonepe|paytm)\b|यूपीआई/i;
/** How far from a handle the talk of UPI may stand, in characters. */
const UPI_REACH = 60;
const PAYPAL = /(?<![\w.])paypal\.me\/([a-z0-9._-]{1,50})/gi;
const CASH_URL = /(?<![\w.])cash\.app\/(\$[a-z][a-z0-9_-]{0,30})/gi;
const CASH_TAG = /(?<![\w$/])\$[a-z][a-z0-9_-]{0,30}(?![\w$])/gi;
const CASH_TALK = /\bcash ?app\b|\bcashtag\b/i;
const IBAN = /(?<![A-Za-z0-9])[A-Z]{2}\d{2}(?: ?[A-Z0-9]{4}){2,7}(?: ?[A-Z0-9]{1,3})?(?![A-Za-z0-9])/g;

interface Found {
  at: number;
  value: string;
}

/** UPI ids, PayPal.me names, Cash App tags and IBANs (checksum held), in order of appearance. */
export function findPaymentHandles(text: string): string[] {
  const tags = CASH_TALK.test(text) ? matches(text, CASH_TAG, (found) => found.toLowerCase()) : [];
  const found = [
    ...matches(text, UPI, (handle) => handle.toLowerCase()).filter((one) => isUpi(one, text)),
    ...matches(text, PAYPAL, (_, name) => `paypal.me/${name.toLowerCase()}`),
    ...matches(text, CASH_URL, (_, tag) => tag.toLowerCase()),
    ...tags,
    ...matches(text, IBAN, (iban) => iban.replaceAll(' ', '')).filter(({ value }) => isIban(value)),
  ];
  return found.sort((a, b) => a.at - b.at).map(({ value }) => value);
}

function matches(text: string, pattern: RegExp, valueOf: (found: string, group: string) => string): Found[] {
  const found: Found[] = [];
  for (const match of text.matchAll(pattern)) {
    found.push({ at: match.index, value: valueOf(match[0], match[1] ?? '') });
    if (found.length >= MAX_GUESSES) break;
  }
  return found;
}

function isUpi({ at, value }: Found, text: string): boolean {
  if (UPI_BANKS.has(value.slice(value.indexOf('@') + 1))) return true;
  return UPI_TALK.test(text.slice(Math.max(0, at - UPI_REACH), at + value.length + UPI_REACH));
}

// ISO 13616: the first four characters moved to the end, letters as 10 to 35, modulo 97 is 1.
function isIban(iban: string): boolean {
  if (iban.length < 15 || iban.length > 34) return false;
  const digits = Array.from(iban.slice(4) + iban.slice(0, 4), (c) => parseInt(c, 36)).join('');
  return Array.from(digits).reduce((rest, digit) => (rest * 10 + Number(digit)) % 97, 0) === 1;
}
