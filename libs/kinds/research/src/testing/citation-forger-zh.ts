import {
  DIGITS,
  fullWidth,
  inChinese,
  rounded,
  withCommas,
  type CitedSentence,
  type ForgedSource,
  type SourceStatement,
} from './citation-forger.js';

type Draw = () => number;
const pick = <T>(draw: Draw, list: readonly T[]): T => list[Math.floor(draw() * list.length)] as T;
const between = (draw: Draw, from: number, to: number): number => from + Math.floor(draw() * (to - from + 1));

const ORGS = [
  '經濟部',
  '環境部',
  '交通部',
  '財政部',
  '衛福部',
  '金管會',
  '國發會',
  '勞動部',
  '氣象署',
  '台電公司',
];
const PEOPLE = ['林志遠', '陳美惠', '黃文彬', '張雅婷', '王建宏', '李淑芬', '吳家豪', '蔡宜君'];
const TITLES = ['部長', '署長', '發言人', '主委', '局長', '董事長'];
const WHAT = [
  '補助住宅用戶換裝節能家電',
  '整建沿海防洪設施',
  '擴大公共運輸服務',
  '辦理偏鄉醫療補助',
  '改善老舊校舍耐震',
];
const UNITS = ['元', '人', '戶', '件'];
const QUOTES = [
  '先把最需要的地方做好',
  '價格會依規定公開檢討',
  '目前沒有調漲的計畫',
  '補助以實際支出為準',
  '地方政府可以提前申請',
  '下一季會公布完整數字',
];
const SITES = [
  ['中央社', 1],
  ['公視', 1],
  ['聯合報', 2],
  ['經濟日報', 2],
  ['自由時報', 2],
  ['報導者', 3],
  ['PTT', 5],
  ['某某部落格', null],
] as const;

function statementOf(draw: Draw): SourceStatement {
  return {
    org: pick(draw, ORGS),
    person: pick(draw, PEOPLE),
    title: pick(draw, TITLES),
    what: pick(draw, WHAT),
    amount: between(draw, 12, 99_999) * pick(draw, [1, 10, 100, 1_000]) + between(draw, 0, 9),
    unit: pick(draw, UNITS),
    date: { y: 2025, m: between(draw, 1, 12), d: between(draw, 1, 28) },
    quote: pick(draw, QUOTES),
  };
}

const amountWays: ((n: number) => string)[] = [
  (n) => String(n),
  withCommas,
  (n) => fullWidth(withCommas(n)),
  (n) => inChinese(n),
  (n) => (n % 100 === 0 && n >= 10_000 ? `${withCommas(n / 10_000)}萬` : withCommas(n)),
  (n) => (n >= 10_000 && n % 10_000 !== 0 ? `${Math.floor(n / 10_000)}萬${n % 10_000}` : String(n)),
];
const amountSaid = (draw: Draw, n: number) => pick(draw, amountWays)(n);

const digitsOf = (n: number) => [...String(n)].map((digit) => DIGITS[Number(digit)]).join('');
const dateWays: ((date: SourceStatement['date']) => string)[] = [
  ({ y, m, d }) => `${y}年${m}月${d}日`,
  ({ y, m, d }) => `民國${y - 1911}年${m}月${d}日`,
  ({ y, m, d }) => `${y - 1911}年${m}月${d}日`,
  ({ y, m, d }) => `${digitsOf(y - 1911)}年${inChinese(m)}月${inChinese(d)}日`,
  ({ m, d }) => `${m}月${d}日`,
  ({ m, d }) => fullWidth(`${m}月${d}日`),
  ({ m, d }) => `${inChinese(m)}月${inChinese(d)}日`,
  ({ y, m, d }) => `${y}-${String(m).padStart(2, '0')}-${String(d).padStart(2, '0')}`,
  ({ y, m, d }) => `${y}/${m}/${d}`,
];
const dateSaid = (draw: Draw, date: SourceStatement['date']) => pick(draw, dateWays)(date);

function sourceOf(draw: Draw, id: string, statement: SourceStatement, year = 2025): ForgedSource {
  const [site, tier] = pick(draw, SITES);
  const { org, person, title, what, unit, quote } = statement;
  const date = { ...statement.date, y: year };
  const iso = `${year}-${String(date.m).padStart(2, '0')}-${String(date.d).padStart(2, '0')}`;
  const text = pick(draw, [
    () =>
      `（記者台北報導）${org}在${dateSaid(draw, date)}宣布${what}，總數為${amountSaid(draw, statement.amount)}${unit}。${title}${person}受訪時說：「${quote}」。相關作業將分階段進行。`,
    () =>
      `${org}${title}${person}在${dateSaid(draw, date)}的記者會上表示，「${quote}」。他說，${org}今年${what}，共計${amountSaid(draw, statement.amount)}${unit}，細節仍在研議。`,
  ])();
  return { id, site, tier, published: `${iso}T08:00:00+08:00`, text, statement: { ...statement, date } };
}

/** A case: some sources on different things, of one mode's allowed tiers and days. */
function worldOf(draw: Draw): ForgedSource[] {
  const seen = new Set<string>();
  const sources: ForgedSource[] = [];
  while (sources.length < 5) {
    const statement = statementOf(draw);
    const alike = [
      statement.org,
      statement.person,
      String(statement.amount),
      statement.quote,
      `${statement.date.m}/${statement.date.d}`,
      String(statement.date.d),
    ];
    if (alike.some((part) => seen.has(part))) continue;
    alike.forEach((part) => seen.add(part));
    sources.push(sourceOf(draw, `E${sources.length + 1}`, statement));
  }
  return sources;
}

function approximate(draw: Draw, { amount }: SourceStatement): string {
  const mark = pick(draw, ['約', '大約', '近似']);
  const near = rounded(amount, between(draw, 2, 3));
  const said = near >= 10_000 && near % 1_000 === 0 ? `${near / 10_000}萬` : withCommas(near);
  return `${mark === '近似' ? '約' : mark}${said}`;
}

/** Rewrites a source as an honest writer does: other words, other order, other forms of figures. */
function said(draw: Draw, statement: SourceStatement, id: string): string {
  const { org, person, title, what, unit, quote } = statement;
  const amount = draw() < 0.3 ? approximate(draw, statement) : amountSaid(draw, statement.amount);
  const date = dateSaid(draw, statement.date);
  return pick(draw, [
    () => `${org}在${date}宣布${what}，規模為${amount}${unit}[${id}]。`,
    () => `規模達${amount}${unit}的計畫由${org}提出，內容是${what}。[${id}]`,
    () => `${title}${person}強調「${quote}」，計畫規模是${amount}${unit}。[${id}]`,
    () => `在${date}，${title}${person}說「${quote}」[${id}]。`,
    () => `對於${what}一事，${org}的說法是「${quote}」，日期是${date}[${id}]。`,
  ])();
}

/** One honest sentence in Chinese, with its case. */
export function honestInChinese(draw: Draw): CitedSentence {
  const sources = worldOf(draw);
  const source = pick(draw, sources);
  return { language: 'zh', sentence: said(draw, source.statement, source.id), sources, forged: null };
}

/** One forged sentence in Chinese. */
export function forgedInChinese(draw: Draw, forged: NonNullable<CitedSentence['forged']>): CitedSentence {
  const sources = worldOf(draw);
  const source = pick(draw, sources);
  const other = sources.find(({ id }) => id !== source.id)!;
  const { statement, id } = source;
  const { org, person, title, what, unit, quote, amount, date } = statement;
  const done = (sentence: string, own: readonly ForgedSource[] = sources): CitedSentence => ({
    language: 'zh',
    sentence,
    sources: own,
    forged,
  });
  switch (forged) {
    case 'wrong id':
      return done(said(draw, statement, other.id));
    case 'altered number': {
      const wrong = amount + pick(draw, [1, 3, 10, 200, 5_000, -7]);
      return done(`${org}宣布${what}，總數為${amountSaid(draw, wrong)}${unit}[${id}]。`);
    }
    case 'altered scale':
      return done(
        `${org}宣布${what}，總數為${withCommas(amount)}${pick(draw, ['萬', '億'])}${unit}[${id}]。`,
      );
    case 'altered date': {
      const wrong = pick(draw, [
        { ...date, d: date.d === 28 ? 3 : date.d + 1 },
        { ...date, m: date.m === 12 ? 1 : date.m + 1 },
        { ...date, y: date.y - 1 },
      ]);
      const ways = wrong.y === date.y ? dateWays : dateWays.slice(0, 4);
      return done(`${org}在${pick(draw, ways)(wrong)}宣布${what}[${id}]。`);
    }
    case 'altered name': {
      const wrongOrg = pick(
        draw,
        ORGS.filter((one) => one !== org),
      );
      const wrongPerson = pick(
        draw,
        PEOPLE.filter((one) => one !== person),
      );
      return done(
        pick(draw, [
          `${wrongOrg}宣布${what}，總數為${withCommas(amount)}${unit}[${id}]。`,
          `${title}${wrongPerson}說「${quote}」[${id}]。`,
        ]),
      );
    }
    case 'altered quote': {
      const cut = between(draw, 1, quote.length - 2);
      const wrong = pick(draw, [
        `${quote.slice(0, cut)}不${quote.slice(cut)}`,
        pick(
          draw,
          QUOTES.filter((one) => one !== quote),
        ),
      ]);
      return done(`${title}${person}表示「${wrong}」[${id}]。`);
    }
    case 'tier': {
      const low = { ...source, site: 'PTT', tier: 5 };
      const own = sources.map((one) => (one.id === id ? low : one));
      const head = pick(draw, ['官方消息指出', '政府來源證實', '根據官方媒體']);
      return done(`${head}，${org}宣布${what}，總數為${withCommas(amount)}${unit}[${id}]。`, own);
    }
    case 'date out of range': {
      const old = sourceOf(draw, id, statement, 2019);
      const own = sources.map((one) => (one.id === id ? old : one));
      return done(`${org}宣布${what}，總數為${withCommas(amount)}${unit}[${id}]。`, own);
    }
    case 'foreign case': {
      const [foreign] = worldOf(draw).filter(
        ({ statement: its }) =>
          !sources.some((one) => one.statement.person === its.person || one.statement.org === its.org),
      );
      const its = foreign?.statement ?? {
        ...statement,
        person: '鄭國祥',
        org: '文化部',
        amount: amount + 13,
      };
      return done(
        pick(draw, [
          `${its.org}${its.title}${its.person}宣布${its.what}，總數為${withCommas(its.amount)}${its.unit}[${id}]。`,
          said(draw, statement, `E${between(draw, 40, 90)}`),
        ]),
      );
    }
  }
}
