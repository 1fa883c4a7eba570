// Words that show what a figure counts, in Chinese and English.

type Table = readonly (readonly [key: string, zh: string, en: string])[];
const compile = (table: Table, edge: (zh: string, en: string) => string) =>
  table.map(([key, zh, en]) => [key, new RegExp(edge(zh, en), 'iu')] as const);
const anywhere = (zh: string, en: string) =>
  [zh, en === '' ? '' : `\\b(?:${en})\\b`].filter((part) => part !== '').join('|');

/** Units of measure that `figures.ts` does not read. */
export const MORE_MEASURES = compile(
  [
    ['years', '', '-years?(?! old)'],
    ['months', '', '-months?'],
    ['days', '', '-days?'],
    ['hours', '', '-hours?'],
    ['minutes', '', '-minutes?'],
    ['percent', '', '-percent'],
    ['weeks', '週|周(?![邊圍年])|個?星期|個?禮拜', '-?weeks?'],
    ['seconds', '秒', '-?seconds?'],
    ['miles', '英里|英哩', 'miles?'],
    ['feet', '英尺|呎', 'feet|foot'],
    ['litres', '公升', 'lit(?:er|re)s?'],
    ['gallons', '加侖', 'gallons?'],
    ['pounds', '磅', 'pounds?|lbs?'],
    ['mg', '毫克', 'mg|milligrams?'],
    ['grams', '公克', 'grams?|g'],
    ['ml', '毫升', 'ml|millilit(?:er|re)s?'],
    ['cm', '公分', 'cm|centimet(?:er|re)s?'],
    ['mm', '毫米', 'mm|millimet(?:er|re)s?'],
    ['acres', '英畝', 'acres?'],
    ['points', '', 'points?'],
    ['ppm', '', 'ppm'],
  ],
  (zh, en) => `^ ?(?:${zh === '' ? '' : `${zh}|`}(?:${en})\\b)`,
);
/** Currency signs before a figure. */
export const SIGNS = [
  [/(?:NT\$|新[台臺]幣) ?$/u, 'TWD'],
  [/(?:US\$) ?$/u, 'USD'],
  [/\$ ?$/u, 'dollars'],
  [/€ ?$/u, 'EUR'],
  [/£ ?$/u, 'GBP'],
  [/¥ ?$/u, 'JPY'],
] as const;
export const MEASURES = new Set(
  'points percent USD JPY EUR CNY HKD TWD GBP dollars degree months years days hours minutes clock intensity km metres tonnes kg hectares GW MW kW times age'.split(
    ' ',
  ),
);
/** Groups of measures that may be written for each other. */
export const ALIKE: readonly (readonly string[])[] = [
  ['dollars', 'USD', 'HKD'],
  ['dollars', 'TWD'],
  ['years', 'age'],
];

/** Classes of countable things, by the classifier or noun after the figure. */
export const CLASSES = compile(
  [
    ['visit', '人次', 'visits?|trips?|rides?'],
    [
      'person',
      '(?:多|餘|幾)?(?:人(?!民幣|口數|氣)|名(?!次|單|額)|位(?!於|在|居))',
      '(?:people|persons?|men|women|children|kids|adults?|workers?|employees|staff|students?|pupils|patients?|residents?|passengers?|travell?ers?|tourists?|customers?|users?|voters?|victims?|members?|soldiers?|civilians?|participants?|teachers?|nurses?|doctors?|officers?|migrants?|refugees?|citizens?|buyers?|owners?|drivers?|deaths?|fatalities|casualties|injuries|dead|individuals?)',
    ],
    ['household', '萬?戶', 'households?|homes?|famil(?:y|ies)'],
    [
      'firm',
      '家|間|所',
      'companies|company|firms?|business(?:es)?|shops?|stores?|retailers?|restaurants?|hospitals?|schools?|banks?|employers?|dealers?',
    ],
    [
      'case',
      '件|起(?!點|步|跳|訴|初)|宗|例|案',
      'cases?|reports?|complaints?|incidents?|fires?|crashes|accidents?|claims?|lawsuits?|calls|outbreaks?|attacks?|infections?',
    ],
    ['building', '棟|幢|座|處', 'buildings?|houses?|apartments?|flats?'],
    [
      'vehicle',
      '輛|架|艘|台(?!幣|灣|北|中|南|東)',
      'vehicles?|cars?|trucks?|buses|planes?|ships?|bikes?|e-bikes?|bicycles?|scooters?',
    ],
    ['dose', '劑', 'doses?|shots?|jabs?'],
    ['times', '次|回|場', 'occasions?|sessions?'],
    ['animal', '隻|頭', 'animals?|pigs?|cows?|birds?|dogs?|cats?'],
    ['vote', '票', 'votes?'],
    ['ticket', '張', 'tickets?'],
  ],
  (zh, en) => `^ ?(?:${anywhere(zh, `(?:[a-z'’-]+ ){0,2}?(?:${en})`)})`,
);
/** Groups of classes that may be written for each other. */
export const ALIKE_CLASSES: readonly (readonly string[])[] = [
  ['case', 'times'],
  ['firm', 'building'],
];
/** Kinds of people that exclude each other: a count of children is no count of adults. */
export const KINDS = compile(
  [
    ['child', '兒童|孩童|幼童|學童', 'children|child|kids|boys|girls|infants|babies'],
    ['adult', '成人|成年人', 'adults?'],
    ['man', '男性|男子', 'men|males?'],
    ['woman', '女性|女子', 'women|females?'],
    ['customer', '顧客|消費者', 'customers?|consumers?|buyers?'],
    ['report', '通報', 'reports?|complaints?'],
    ['fire', '火災|起火', 'fires?'],
  ],
  (zh, en) => `^ ?(?:${anywhere(`(?:人|名|位|件|起)?(?:${zh})`, `(?:[a-z'’-]+ ){0,1}?(?:${en})`)})`,
);
export const APART: readonly (readonly [string, string])[] = [
  ['child', 'adult'],
  ['man', 'woman'],
  ['report', 'fire'],
];

export const FATES = compile(
  [
    [
      'died',
      '死亡|死了|死(?=[0-9])|喪生|罹難|身亡|死者|不治|喪命|死傷|亡者|\\d死',
      'deaths?|dead|died|dies|die|dying|kill(?:ed|s|ing)?|fatalit(?:y|ies)|fatally|lives lost',
    ],
    [
      'injured',
      '受傷|傷者|輕傷|重傷|傷勢|死傷|人傷|\\d傷',
      'injur(?:y|ies|ed|ing)|wound(?:ed|s|ing)|hurt|casualties',
    ],
    ['missing', '失蹤|下落不明', 'missing'],
    ['trapped', '受困', 'trapped|stranded'],
    ['hospital', '送醫|住院', 'hospitali[sz]ed|hospitali[sz]ations?|in hospital'],
    ['infected', '確診|感染|染疫', 'infect(?:ed|ions?)|tested positive'],
    ['arrested', '逮捕|拘捕|羈押|被捕|收押', 'arrest(?:ed|s)|detained|detentions?'],
    ['evacuated', '撤離|疏散', 'evacuat(?:ed|ions?)'],
  ],
  anywhere,
);
export const PER = compile(
  [
    [
      'year-on-year',
      '年增|年減|較去年同期|比去年同期',
      'year[- ](?:on|over)[- ]year|(?:from|than) (?:a|one) year (?:earlier|ago|before)|annual (?:rise|increase|drop|growth)',
    ],
    [
      'month-on-month',
      '月增|月減|較上(?:個)?月|比上(?:個)?月',
      'month[- ](?:on|over)[- ]month|(?:from|than) (?:a|one) month (?:earlier|ago|before)',
    ],
    ['quarter-on-quarter', '季增|季減|較上(?:一)?季|比上(?:一)?季', 'quarter[- ](?:on|over)[- ]quarter'],
  ],
  anywhere,
);
const TIME = 'second|minute|hour|day|week|month|quarter|year';
export const EACH_EN = new RegExp(
  `\\b(?:per|each|every) ([a-z]{1,12})\\b|\\ban? (${TIME}|kilo(?:gram)?|tonne|ton|lit(?:er|re)|person|household|piece|night|mile|share|unit|gallon|pound)\\b(?! (?:earlier|ago|before|later|after|on|over))|/ ?([a-z]{1,8})\\b|\\b(hour|dai|week|month|quarter|year|annual)ly\\b`,
  'giu',
);
export const EACH_ZH =
  /每(?:一|個)?(秒|分鐘|小時|天|日|週|周|星期|月|季|年|人|戶|次|件|度|公斤|公噸|噸|公升|公里|坪|餐|張|本|台|輛|瓶|杯|包|劑|股|單|班|晚|位|名|支)|(時|日|月|年)薪|(單)日|(單)月/gu;
export const SAME_PER: Record<string, string> = {
  秒: 'second',
  分鐘: 'minute',
  小時: 'hour',
  時: 'hour',
  天: 'day',
  日: 'day',
  週: 'week',
  周: 'week',
  星期: 'week',
  月: 'month',
  季: 'quarter',
  年: 'year',
  人: 'person',
  位: 'person',
  名: 'person',
  capita: 'person',
  head: 'person',
  戶: 'household',
  公斤: 'kg',
  kilo: 'kg',
  kilogram: 'kg',
  公噸: 'tonne',
  噸: 'tonne',
  ton: 'tonne',
  公升: 'litre',
  liter: 'litre',
  l: 'litre',
  h: 'hour',
  hr: 'hour',
  dai: 'day',
  annual: 'year',
  annum: 'year',
  cent: '',
};
