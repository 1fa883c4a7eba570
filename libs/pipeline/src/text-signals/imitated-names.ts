import { getDomain, getPublicSuffix } from 'tldts';

/** Top-level domains that cost almost nothing and that senders of these kinds hardly ever use. */
const CHEAP = new Set(
  (
    'top xyz shop cc info icu online site live click link vip club buzz rest cfd sbs cyou fun store work win bid loan life ' +
    'pw tk ml ga cf gq lol mom quest monster beauty hair skin bond today world space website tech pro support help ws su ru'
  ).split(' '),
);
const SHORTENERS = new Set(
  'bit.ly tinyurl.com t.co cutt.ly is.gd rb.gy shorturl.at goo.gl ow.ly tiny.cc bit.do t.ly s.id shrtco.de rebrand.ly lnkd.in v.gd qrco.de'.split(
    ' ',
  ),
);
/** Words that senders of such links add to a name to make it look official. */
const GENERIC =
  /verif|valid|secur|login|logon|signin|account|acct|update|upd$|kyc|pay(?!pal)|fees?$|claim|refund|rebate|redeliv|deliver|parcel|parcl|post(?:al)?$|package|track|customs?|duty|gov|support|help|service|bonus|reward|gift|prize|winner|lucky|free|double|drop|airdrop|wallet|confirm|unlock|unblock|bill|toll|fine|chal+an|subsid|payout|grant|guest|card|cancel|appeal|recover|restore|renew|relief|scheme|yojana|kist|seva|pan$|aadha+r|sbi|hdfc|icici|guru|crypto|invest|trade|earn|task|job|offer|deal|sale|big|mega|loot|cheap|outlet|clear|viewer|clips|meta|forms?$|addr|fast|tag|pass$/;
/** Names that are most often imitated, with their real domains. */
const BRANDS: Record<string, string> = {
  usps: 'usps.com',
  ups: 'ups.com',
  fedex: 'fedex.com',
  dhl: 'dhl.com dhl.de dhl.co.uk',
  royalmail: 'royalmail.com',
  evri: 'evri.com',
  dpd: 'dpd.co.uk dpd.com',
  auspost: 'auspost.com.au',
  indiapost: 'indiapost.gov.in',
  hmrc: '',
  irs: 'irs.gov',
  ezpass: 'e-zpassny.com',
  dvla: '',
  ato: '',
  mygov: '',
  paypal: 'paypal.com',
  amazon:
    'amazon.com amazon.in amazon.co.uk amazon.de amazon.fr amazon.es amazon.it amazon.nl amazon.ca amazon.com.br amazon.com.au amazon.co.jp',
  apple: 'apple.com',
  icloud: 'icloud.com',
  netflix: 'netflix.com',
  microsoft: 'microsoft.com',
  google: 'google.com',
  facebook: 'facebook.com',
  instagram: 'instagram.com',
  whatsapp: 'whatsapp.com',
  booking: 'booking.com',
  airbnb: 'airbnb.com',
  binance: 'binance.com',
  coinbase: 'coinbase.com',
  metamask: 'metamask.io',
  sbi: 'sbi.co.in onlinesbi.sbi',
  hdfc: 'hdfcbank.com',
  icici: 'icicibank.com',
  pnb: 'pnbindia.in',
  yono: 'sbi.co.in',
  paytm: 'paytm.com',
  phonepe: 'phonepe.com',
  fastag: '',
  parivahan: 'parivahan.gov.in',
  incometax: 'incometax.gov.in',
  uidai: 'uidai.gov.in',
  epfo: 'epfindia.gov.in',
  irctc: 'irctc.co.in',
  jio: 'jio.com',
  airtel: 'airtel.in',
  barclays: 'barclays.co.uk',
  hsbc: 'hsbc.com hsbc.co.uk',
  lloyds: 'lloydsbank.com',
  santander: 'santander.co.uk',
  chase: 'chase.com',
  wellsfargo: 'wellsfargo.com',
  singpass: 'singpass.gov.sg',
  nike: 'nike.com',
  steam: 'steampowered.com steamcommunity.com',
  dropbox: 'dropbox.com dropboxmail.com',
  docusign: 'docusign.com docusign.net',
  adobe: 'adobe.com',
  norton: 'norton.com',
  mcafee: 'mcafee.com',
  linkedin: 'linkedin.com',
  sharepoint: 'sharepoint.com',
  wetransfer: 'wetransfer.com',
  ebay: 'ebay.com ebay.co.uk ebay.de ebay.fr ebay.it ebay.es ebay.ca ebay.com.au',
  walmart: 'walmart.com',
  spotify: 'spotify.com',
  citibank: 'citi.com citibank.com',
  bbva: 'bbva.com bbva.es',
  caixabank: 'caixabank.es',
  sparkasse: 'sparkasse.de',
  commerzbank: 'commerzbank.de',
  godaddy: 'godaddy.com',
  ledger: 'ledger.com',
  trezor: 'trezor.io',
  bradesco: 'bradesco.com.br',
  itau: 'itau.com.br',
  correios: 'correios.com.br',
  costco: 'costco.com',
  lowes: 'lowes.com',
  starbucks: 'starbucks.com',
  decathlon: 'decathlon.com decathlon.de decathlon.fr',
  edeka: 'edeka.de',
  rossmann: 'rossmann.de',
  lidl: 'lidl.de lidl.com',
  temu: 'temu.com',
  tether: 'tether.to',
  ripple: 'ripple.com',
  mastercard: 'mastercard.com',
  telekom: 'telekom.de telekom.com',
};
const OWN = new Set(
  (
    Object.values(BRANDS).join(' ') +
    ' google.co.in youtube.com youtu.be microsoftonline.com boots.com tesco.com nhs.uk uppcl.org licindia.in flipkart.com myntra.com' +
    ' zomato.com swiggy.com delhivery.com wikipedia.org bbc.co.uk github.com zoom.us target.com'
  ).split(' '),
);
const OFFICIAL_END =
  /(?:^|\.)(?:gov|mil|gov\.[a-z]{2}|nic\.in|bank\.in|police\.uk|nhs\.uk|ac\.[a-z]{2}|edu|edu\.[a-z]{2})$/;

/** Returns whether a host belongs to a well-known sender or an office. */
export function isOwnDomain(host: string): boolean {
  const domain = getDomain(host);
  return OFFICIAL_END.test(host) || (domain !== null && OWN.has(domain));
}

/** Returns whether a host shortens links, so that a link does not show where it leads. */
export function isShortener(host: string): boolean {
  return SHORTENERS.has(getDomain(host) ?? host);
}

/** Returns the weight of the signs in the form of a host: 2 if it borrows a well-known name, 0 if there are none. */
export function hostSuspicion(hostname: string): number {
  if (isOwnDomain(hostname)) return 0;
  if (/^[\d.]+$|^\[/.test(hostname) || /(?:^|\.)xn--/.test(hostname)) return 2;
  const domain = getDomain(hostname) ?? hostname;
  if (isShortener(hostname)) return 1;
  const labels = hostname.split('.').filter((label) => label !== 'www');
  const parts = labels.flatMap((label) => label.split('-'));
  const hyphenated = labels.some((label) => label.includes('-'));
  const borrowed =
    parts.some((part) => Object.hasOwn(BRANDS, part)) || /^(?:com|net|org|gov|in)-/.test(domain);
  const generic = parts.some((part) => GENERIC.test(part));
  const cheap = CHEAP.has(getPublicSuffix(hostname) ?? '');
  if (borrowed || (cheap && (hyphenated || generic))) return 2;
  if (cheap || (hyphenated && generic)) return 1;
  return 0;
}

/** Letters that look like others in a domain, in the order in which they are replaced. */
const LOOK_ALIKES = [
  ['rn', 'm'],
  ['vv', 'w'],
  ['cl', 'd'],
  ['0', 'o'],
  ['1', 'l'],
  ['3', 'e'],
  ['5', 's'],
] as const;

/**
 * Returns the well-known name that a host imitates although it does not belong to that name: as a part between
 * hyphens, or with letters that look alike (`paypa1`). null: none.
 */
export function imitatedName(host: string): string | null {
  if (isOwnDomain(host)) return null;
  const parts = host
    .toLowerCase()
    .split('.')
    .filter((label) => label !== 'www')
    .flatMap((label) => label.split('-'));
  for (const part of parts) {
    if (Object.hasOwn(BRANDS, part)) return part;
    for (const [from, to] of LOOK_ALIKES) {
      const read = part.replaceAll(from, to);
      if (read !== part && Object.hasOwn(BRANDS, read)) return read;
    }
  }
  return null;
}

/**
 * Returns the well-known name in a display name, and whether a host belongs to it. null: the display name names none.
 * @param words words of the display name, in lower case
 */
export function namedBrand(words: readonly string[], host: string): { brand: string; isOwn: boolean } | null {
  const brand = words.find((word) => word.length >= 3 && Object.hasOwn(BRANDS, word));
  if (brand === undefined) return null;
  const own = (BRANDS[brand] ?? '').split(' ');
  return { brand, isOwn: own.includes(getDomain(host) ?? '') || OFFICIAL_END.test(host) };
}
