import { readFileSync } from 'node:fs';
import fc from 'fast-check';
import { isReadable } from './is-readable.js';
import { LEGITIMACY_KINDS, SIGNAL_KINDS, WEIGHTS, type Lexicon } from './kinds.js';
import { english, hindi, romanisedHindi } from './lexicons/index.js';
import { readText, readTextSignals } from './read-text-signals.js';
import { textTokens } from './tokens.js';

const kindsOf = (text: string) => {
  const { signals, notes } = readTextSignals(text);
  return [...signals, ...notes].map(({ kind }) => kind);
};

describe('S1-16 what a text itself says', () => {
  it.each([
    [
      'a fee beside an amount in an English notice',
      'You have withdrawn 700.00 (Fee 20, Levy 3) from your account.',
    ],
    ['the number of a sign-in code', '482913 is your LIKEABLE verification code'],
  ])('takes %s for no request of a payment', (_, text) => expect(kindsOf(text)).not.toContain('asks_fee'));

  it.each([
    ['a request for secrecy', 'Do not tell anyone. Transfer your savings to a safe account.', 'warns'],
    [
      'a German attachment',
      'Ihre Rechnung vom 12.11. finden Sie im Anhang. Zahlbar bis morgen, viele Grüße',
      'stranger',
    ],
  ])('takes %s for what it is', async (_, text, kind) => {
    const { signals, notes, legitimacy } = await readText(text);
    expect([...signals, ...notes, ...legitimacy].map((one) => one.kind as string)).not.toContain(kind);
  });

  it('takes the mask of an account for no greeting, and its balance for no channel of the sender', () => {
    const kinds = readTextSignals('INR 209.00 debited from A/c XX0023. Avl bal: INR 500.00').legitimacy;
    expect(kinds.map(({ kind }) => kind)).not.toEqual(expect.arrayContaining(['everyday']));
    expect(kinds.map(({ kind }) => kind)).not.toEqual(expect.arrayContaining(['own_channel']));
    expect(kinds.map(({ kind }) => kind)).toContain('fact');
  });

  it.each([
    ['asks_fee', 'A customs fee is due before we release your box'],
    ['asks_fee', 'पहले रजिस्ट्रेशन शुल्क जमा करें'],
    ['asks_fee', 'pehle registration fees jama karo, baad me milega'],
    ['asks_secret', 'Please read me the code that you just received'],
    ['asks_secret', 'आपके फोन पर ओटीपी आया होगा, बता दीजिए'],
    ['asks_secret', 'jo OTP aaya hai wo bata dijiye'],
    ['deadline', 'Do it within 6 hours'],
    ['threat', 'Your account will be suspended'],
    ['threat', 'आपका खाता ब्लॉक हो जाएगा'],
    ['threat', 'aapka khata band ho jayega'],
    ['poses_authority', 'This is inspector Brandt'],
    ['poses_bank', 'मैं बैंक से बोल रहा हूं'],
    ['poses_carrier', 'We could not deliver your parcel'],
    ['poses_relative', 'Mum, I dropped my phone'],
    ['suspicious_link', 'see www.parcel-verify.top/x'],
    ['suspicious_link', 'see https://bit.ly/3xYz'],
    ['suspicious_link', 'see paypal.account-check.net/login'],
    ['hidden_link', 'Confirm at https://www.mybank.example <http://evil-login.example/x> today'],
    ['hidden_link', 'Login at www.mybank.example now <https://evil-login.example/x>'],
    ['hidden_link', '[www.mybank.example](http://evil-login.example/x)'],
    ['prize', 'You have won a prize'],
    ['prize', 'आपको लॉटरी में इनाम मिला'],
    ['easy_income', 'ghar baithe roz 3000 kamao'],
    ['other_channel', 'Message her on WhatsApp +44 7700 900123'],
    ['secrecy', 'इस बारे में किसी को मत बताना'],
    ['legal_threat', 'You are under digital arrest'],
    ['install', 'open Bill_Update.apk'],
    ['remote_access', 'download AnyDesk'],
    ['untraceable', 'buy gift cards'],
  ])('finds %s: %s', (kind, text) => {
    expect(kindsOf(text)).toContain(kind);
  });

  it.each([
    'Visit www.shop.example <https://shop.example/>',
    'Visit www.shop.example <https://mail.shop.example/click?u=1>',
    'See www.news.example or click here <https://other.example/>',
    'Read on <https://other.example/>',
    '[the list](https://other.example/)',
  ])('finds no hidden link: %s', (text) => expect(kindsOf(text)).not.toContain('hidden_link'));

  it.each([
    'Tell a friend <http://www.letter.example/friend?form=1>',
    'Send this issue to a colleague <https://www.letter.example/send>',
    'Reply to this post <https://forum.example/t/81>',
    'Sign in <https://www.letter.example/account> to change your settings',
    'Update <https://www.letter.example/settings>',
    'Read more at https://www.letter.example/issue/12',
    'Tell a friend: https://www.letter.example/friend',
  ])('S1-16 a verb before a link requests no secret: %s', (text) =>
    expect(kindsOf(text)).not.toContain('asks_secret'),
  );

  it.each([
    'Confirm your password <https://mybank-check.example/x>',
    'Verify your account <https://mybank-check.example/x>',
    'Enter your card number here <https://mybank-check.example/x>',
    'Please confirm at https://mybank-check.example/x',
    'Sign in at https://mybank-check.example/x',
  ])('S1-16 a request for data before a link still counts: %s', (text) =>
    expect(kindsOf(text)).toContain('asks_secret'),
  );

  it('names the words it stands on, as they stand, and the language of the rule', () => {
    const { signals } = readTextSignals(
      'Dear user. Your ACCOUNT will be  suspended, pay at fee-verify.top now',
    );
    expect(signals).toContainEqual({
      kind: 'threat',
      language: 'en',
      words: expect.arrayContaining(['ACCOUNT will be suspended']),
    });
    expect(signals).toContainEqual({ kind: 'suspicious_link', language: 'und', words: ['fee-verify.top'] });
  });

  it('knows loose spellings of romanised Hindi, and looks through disguises', () => {
    for (const text of ['apka khata bnd ho jaega, jldi kro', 'aapkaa khaata band ho jaayega, jaldi karo'])
      expect(kindsOf(text)).toContain('threat');
    expect(kindsOf('Yоur аccоunt will bе suspеndеd')).toContain('threat');
    expect(kindsOf('your ac\u200bcount will be sus\u200bpended')).toContain('threat');
  });

  it('what speaks for a true sender outweighs weak signs, which become notes', () => {
    const code = readTextSignals('918273 is your code for Larkspur. Never share this code with anyone.');
    expect(code.signals).toEqual([]);
    expect(code.legitimacy.map(({ kind }) => kind)).toContain('warns');
    expect(readTextSignals('See you at the station at six')).toMatchObject({
      signals: [],
      notes: [],
      weight: 0,
    });
    expect(readTextSignals('More on https://www.gov.uk/tax').legitimacy).toContainEqual(
      expect.objectContaining({ kind: 'own_domain' }),
    );
  });

  it.each([
    ['Wir sehen uns am Samstag bei der Probe in der Halle', false],
    ['உங்கள் வங்கிக் கணக்கு இன்று முடக்கப்படும், உடனே சரிபார்க்கவும்', false],
    ['Su cuenta bancaria fue bloqueada, llame hoy mismo', false],
    ['See you at the station at six', true],
    ['कल की मीटिंग ग्यारह बजे है', true],
    ['kal subah milte hain, theek hai bhai', true],
    ['maine khana bana diya, thodi der me aaungi', true],
    ['आपल्या खात्याची माहिती द्या, नाही तर सेवा बंद होईल, आणि दंड आहे', false],
    ['तपाईंको खाता बन्द भयो, तुरुन्त फोन गर्नुहोस्', false],
    ['ok', true],
    ['😀 4471', true],
    ['', true],
    ['Hola amigo bit.ly/x', false],
    ['https://bit.ly/3xYz', false],
    ['+44 7700 900123', false],
  ])('S3-44 says whether it reads the language: %s', (text, isRead) => {
    expect(readTextSignals(text).isRead).toBe(isRead);
    expect(isReadable(textTokens(text))).toBe(isRead);
  });

  it.each([
    ['Hello, is this Marianne? This is Odette from the sailing dinner'],
    ['Oh I am sorry, you seem a kind person. Where are you based?'],
    ['नमस्ते, मैं सुरभि। आप बहुत शालीन लगते हैं'],
    ['hello, kya ye Farhan ka number hai? main Tina hu'],
  ])(
    'S1-17 a stranger who opens a conversation is a sign, whatever everyday matter it is about: %s',
    (text) => {
      const alone = readTextSignals(text);
      const dressed = readTextSignals(`${text}. dinner, kids, school, khana, chai, खाना, बच्चे`);
      for (const { signals } of [alone, dressed])
        expect(signals.map(({ kind }) => kind)).toContain('stranger');
    },
  );

  it.each([
    ['Hi, this is Odette, your neighbour at number 9. The lift is out again'],
    ['नमस्ते, मैं सुरभि, ऊपर वाले फ्लैट में नई किराएदार'],
    ['Namaste, main Farhan, aapke bete ka class teacher'],
  ])('S1-17 a plain reason for a first message explains it: %s', (text) => {
    const { signals, legitimacy } = readTextSignals(text);
    expect(signals).toEqual([]);
    expect(legitimacy.map(({ kind }) => kind)).toContain('plain_reason');
  });

  it('S1-17 a plain reason or everyday talk excuses no offer, and no trick', () => {
    for (const text of [
      'Your neighbour here, lend me your bank_account and keep 5 percent commission, dinner later?',
      'bhai tere account me payment aayega, usme se commission rakh lena, chai pe milte hai',
    ])
      expect(readTextSignals(text).signals).not.toEqual([]);
  });

  it('S1-17 what is not said to the reader, or was done already, is asked of no one', () => {
    expect(readTextSignals('The police were at the bank again this morning').signals).toEqual([]);
    expect(readTextSignals('paise bhej diye, mil gaye?').signals).toEqual([]);
    expect(readTextSignals('paise bhej do jaldi').signals).not.toEqual([]);
    expect(kindsOf('aapka kaam karna hai')).not.toContain('install');
  });

  it('takes any text, however long, and reads a bounded part of it: beginning and end', () => {
    const long = `${'lorem ipsum '.repeat(50_000)} your account will be suspended`;
    expect(kindsOf(long)).toContain('threat');
    fc.assert(
      fc.property(fc.string({ unit: 'binary', maxLength: 400 }), (text) => {
        const { signals, notes, legitimacy, weight } = readTextSignals(text);
        expect(weight).toBeGreaterThanOrEqual(0);
        for (const { kind, words } of [...signals, ...notes]) {
          expect(Object.keys(SIGNAL_KINDS)).toContain(kind);
          expect(words.length).toBeGreaterThan(0);
        }
        for (const { kind } of legitimacy) expect(Object.keys(LEGITIMACY_KINDS)).toContain(kind);
      }),
      { numRuns: 200 },
    );
  });
});

/** Words in a row from which a construction would be a sentence taken over from a message. */
const TOO_MANY = 5;
const lexicons = [english, hindi, romanisedHindi];

/** Every row of at least five words that a construction spells out, gaps ending a row. */
function rowsOf({ families, signals, legitimacy }: Lexicon): string[] {
  const groups = [...Object.values(signals), ...Object.values(legitimacy)];
  const lines = groups.flatMap((group) => Object.values(group).flat());
  return lines.flatMap((line) =>
    line.split(/\s~\d*\s|\s~\d*$|^~\d*\s/).flatMap((run) => {
      const alternatives = run.split(/\s+/).map((element) =>
        element
          .replace(/^\?/, '')
          .split('/')
          .flatMap((one) => (one.startsWith('@') ? families[one.slice(1)]!.trim().split(/\s+/) : [one]))
          .map((one) => one.replaceAll('_', ' ')),
      );
      const most = alternatives.reduce(
        (sum, all) => sum + Math.max(...all.map((one) => one.split(' ').length)),
        0,
      );
      if (most < TOO_MANY) return [];
      return alternatives.reduce<string[]>(
        (rows, all) => rows.flatMap((row) => all.map((one) => `${row} ${one}`)),
        [''],
      );
    }),
  );
}

describe('S1-16 short texts whose language the detector cannot tell', () => {
  it.each([
    'I borrow ur bag ok.',
    "K come to nordstrom when you're done",
    'Lol great now im getting hungry.',
    'Can you send me a copy of da report?',
  ])('are read if most of their words are common in English: %s', async (text) => {
    expect((await readText(text)).isRead).toBe(true);
  });

  it.each([
    'Skat har penge til dig, skriv dit kortnummer her',
    'De vergadering is in kamer drie, neem de papieren mee',
  ])('are not read below the header names of a mail either: %s', async (text) => {
    const mail = `From: Anna Weber <anna@weber.example>\nSubject: ...\n\n${text}`;
    expect((await readText(mail)).isRead).toBe(false);
  });

  it('promise a prize also if they say how to end the messages', async () => {
    const text = 'You are eligible to get 250k. Dial +12025550143 now. STOP to end';
    expect((await readText(text)).signals.map(({ kind }) => kind)).toContain('prize');
    const drawn = await readText('Hey, your number was picked for our tuesday contest. txt Ok for more');
    expect(drawn.signals.map(({ kind }) => kind)).toContain('prize');
  });
});

describe('the lexicons', () => {
  const said = ['messages', 'seen', 'unseen', 'development'].flatMap((name) =>
    readFileSync(new URL(`../../../../samples/eval/${name}.jsonl`, import.meta.url), 'utf8')
      .split('\n')
      .filter((line) => line !== '')
      .map((line) => JSON.parse(line) as { text: string })
      .map(
        ({ text }) =>
          ` ${textTokens(text)
            .map(({ plain }) => plain)
            .join(' ')} `,
      ),
  );

  // Nothing of a message may show in what this prints: the number of rows is enough.
  it('share no more than four words in a row with a message of any labelled set', () => {
    const rows = lexicons.flatMap(rowsOf).map((row) => row.trim().split(' '));
    const windows = rows.flatMap((row) => row.slice(TOO_MANY - 1).map((_, i) => row.slice(i, i + TOO_MANY)));
    const shared = windows.filter((window) => {
      const words = window.map((word) => (word.endsWith('*') ? word.slice(0, -1) : `${word} `)).join('');
      return said.some((text) => text.includes(` ${words}`));
    });
    expect(said.length).toBeGreaterThan(900);
    expect(shared.length).toBe(0);
  });

  it('name no kind and no strength that the code does not know', () => {
    for (const { signals, legitimacy } of lexicons) {
      expect(Object.keys(signals).filter((kind) => !(kind in SIGNAL_KINDS))).toEqual([]);
      expect(Object.keys(legitimacy).filter((kind) => !(kind in LEGITIMACY_KINDS))).toEqual([]);
      const groups = [...Object.values(signals), ...Object.values(legitimacy)];
      expect(groups.flatMap(Object.keys).filter((strength) => !(strength in WEIGHTS))).toEqual([]);
    }
  });

  it('hold no construction twice', () => {
    for (const { signals } of lexicons)
      for (const group of Object.values(signals)) {
        const lines = Object.values(group).flat();
        expect(lines.length - new Set(lines).size).toBe(0);
      }
  });
});
