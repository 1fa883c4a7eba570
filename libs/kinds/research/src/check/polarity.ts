/** The words of a clause, without negations and without words that have an opposite. */
export interface Clause {
  text: string;
  words: ReadonlySet<string>;
  /** Whether the number of its negations is odd. */
  isNegated: boolean;
  /** Side of each pair of opposites in the clause: 1, -1, or 0 for both. */
  sides: ReadonlyMap<string, number>;
}

/** The way in which a sentence contradicts a clause with the same words. */
export interface Difference {
  kind: 'polarity' | 'comparative' | 'verb';
  claim: string;
  source: string;
}

/** Words that contain a negation but negate nothing. */
const PSEUDO =
  /不但|不僅|不只|不光|不單|不斷|不少|不同|不久|不過|不管|不論|不如|不得不|不妨|不料|不乏|不一|不等|不及格|非常|無論|無不|未必|未來|未婚|是否|能否|可否|與否|莫非|不動產|不明|無線|無障礙|\b(?:not only|not just|not merely|no doubt|without doubt|no matter|not least|no sooner|nothing but|no later than|no (?:more|less|fewer|longer than) than|not (?:more|less|fewer) than|not to mention|if not|(?:at|for) no (?:extra )?(?:cost|charge)|no charge)\b/giu;
const NEGATION =
  /沒有|沒|並未|未|不|無(?=[\p{Script=Han}])|非(?=[\p{Script=Han}])|否認|拒絕|禁止|避免|勿|並非|(?<=[\p{Script=Han}])別(?=[\p{Script=Han}])|\b(?:not|no|never|without|neither|nor|none of|nobody|nothing|nowhere|cannot|refus(?:e|es|ed|ing) to|fail(?:s|ed|ing)? to|den(?:y|ies|ied|ying)|unable to|lack(?:s|ed|ing)?(?: of)?|hardly|barely|very (?:little|few)|isn|aren|wasn|weren|doesn|don|didn|hasn|haven|hadn|won|wouldn|can|couldn|shouldn)(?:['’]t)?\b|n['’]t\b/giu;
/** Words that are negations only with `'t`, such as `can` and `won`. */
const NEEDS_T = /^(?:can|won|don|isn|aren|wasn|weren|doesn|didn|hasn|haven|hadn|wouldn|couldn|shouldn)$/iu;

type WordPair = readonly [kind: 'comparative' | 'verb', zhA: string, zhB: string, enA: string, enB: string];
const PAIRS: readonly WordPair[] = [
  [
    'comparative',
    '高於|大於|多於|超過|超出',
    '低於|小於|少於|不到|未達',
    '(?:higher|greater|more|larger) than|above|exceed(?:s|ed|ing)?',
    '(?:lower|less|fewer|smaller) than|below|under',
  ],
  [
    'comparative',
    '最高|最大|最多',
    '最低|最小|最少',
    'highest|largest|most|biggest|maximum',
    'lowest|smallest|least|fewest|minimum',
  ],
  ['comparative', '上限', '下限', 'upper limit|ceiling', 'lower limit|floor'],
  [
    'comparative',
    '之後|以後|後(?=[\\p{Script=Han}])',
    '之前|以前|前(?=[\\p{Script=Han}])',
    'after|since',
    'before|until',
  ],
  ['comparative', '', '', 'more', 'less|fewer'],
  ['comparative', '', '', 'double|twice', 'half'],
  [
    'verb',
    '調漲|上漲|增加|上升|調升|調高|成長|提高|升息|漲',
    '調降|下跌|減少|下降|調低|衰退|降低|降息|跌|減',
    'ris(?:e|es|en|ing)|rose|increas(?:e|es|ed|ing)|grew|grow(?:s|n|ing|th)?|climb(?:s|ed)?|gain(?:s|ed)?|went up|rais(?:e|es|ed|ing)|up|higher',
    'f[ae]ll(?:s|en|ing)?|decreas(?:e|es|ed|ing)|declin(?:e|es|ed|ing)|drop(?:s|ped|ping)?|shrank|los(?:t|es|ing)|went down|cut(?:s|ting)?|lower(?:s|ed)?|reduc(?:e|es|ed|ing)|down',
  ],
  [
    'verb',
    '同意|贊成|支持|肯定|通過|核准|批准',
    '反對|否決|駁回|拒絕|退回|質疑',
    'approv(?:e|es|ed|ing)|support(?:s|ed|ing)?|back(?:s|ed|ing)?|pass(?:es|ed|ing)?|accept(?:s|ed|ing)?|agree[sd]?|welcom(?:e|es|ed)',
    'reject(?:s|ed|ing)?|oppos(?:e|es|ed|ing)|fail(?:s|ed)?|refus(?:e|es|ed)|criti[cs]i[sz](?:e|es|ed)|against',
  ],
  [
    'verb',
    '開放|開始|啟動|恢復|重啟',
    '關閉|停止|暫停|取消|結束|中止',
    'open(?:s|ed|ing)?|start(?:s|ed|ing)?|beg[aiu]n(?:s|ning)?|resum(?:e|es|ed|ing)|introduc(?:e|es|ed)',
    'clos(?:e|es|ed|ing)|stop(?:s|ped|ping)?|end(?:s|ed|ing)?|cancel(?:s|led|ed|ling)?|suspend(?:s|ed)?|lift(?:s|ed)?|abolish(?:es|ed)?|withdr[ae]wn?',
  ],
  [
    'verb',
    '證實|承認|確認',
    '否認|澄清|駁斥',
    'confirm(?:s|ed|ing)?|admit(?:s|ted|ting)?|acknowledg(?:e|es|ed)',
    'den(?:y|ies|ied|ying)|refut(?:e|es|ed)|dismiss(?:es|ed)?',
  ],
  [
    'verb',
    '延長|提早|提前',
    '縮短|延後|延遲',
    'extend(?:s|ed)?|earlier',
    'shorten(?:s|ed)?|later|delay(?:s|ed)?|postpon(?:e|es|ed)',
  ],
  [
    'verb',
    '補助|加給|贈送|獲得',
    '扣除|收取|罰款|扣',
    'pay(?:s|ing)?|paid|grant(?:s|ed)?|earn(?:s|ed)?|profit',
    'charg(?:e|es|ed)|fined?|owe[sd]?|loss(?:es)?',
  ],
  [
    'verb',
    '允許|得(?=提供|使用|申請)|可(?=使用|提供|以)',
    '禁止|不得',
    'allow(?:s|ed)?|permit(?:s|ted)?|legal',
    'ban(?:s|ned)?|prohibit(?:s|ed)?|forb(?:id|ids|idden|ade)|illegal',
  ],
  [
    'verb',
    '正確|屬實|真的|事實',
    '錯誤|不實|假的|謠言',
    'true|correct|accurate',
    'false|incorrect|wrong|untrue',
  ],
  ['verb', '勝|贏', '敗|輸', 'w[io]n(?:s|ning)?', 'los(?:t|es|ing)|defeat(?:ed)?'],
  ['verb', '', '', 'sufficient|enough', 'insufficient'],
];
const COMPILED = PAIRS.map(([kind, zhA, zhB, enA, enB], i) => ({
  key: `${kind}-${i}`,
  kind,
  first: zhSide(zhA, enA),
  second: zhSide(zhB, enB),
}));

function zhSide(zh: string, en: string): RegExp {
  return new RegExp([zh, en === '' ? '' : `\\b(?:${en})\\b`].filter((part) => part !== '').join('|'), 'giu');
}

const CUTS =
  /[，。；：、！？,;:!?\n]|\.(?=\s|$)|(?:但是?|不過|然而|而且|除了)|\b(?:but|however|although|though|whereas|while|because|unless|except)\b/giu;
const STOP = new Set(
  'the a an of in on at to for by with from is are was were be been being has have had do does did will would can could may might shall should and or that this these those it its he she they his her their there as than then so very also just who which whose'.split(
    ' ',
  ),
);
const LONGEST = 400;

/** Returns the clauses of a text. Linear: each character is read a bounded number of times. */
export function clausesOf(text: string): Clause[] {
  const normal = text.normalize('NFKC').replaceAll('臺', '台');
  const clauses: Clause[] = [];
  let from = 0;
  const add = (to: number) => {
    for (; from < to; from += LONGEST) {
      const clause = toClause(normal.slice(from, Math.min(to, from + LONGEST)));
      const last = clauses.at(-1);
      // `, the highest value` belongs to the clause before it.
      const joined =
        clause !== null && clause.words.size < LEAST_WORDS && last !== undefined && last.text.length < LONGEST
          ? toClause(`${last.text} ${clause.text}`)
          : null;
      if (joined !== null) clauses[clauses.length - 1] = joined;
      else if (clause !== null) clauses.push(clause);
    }
    from = to;
  };
  for (const { index, 0: mark } of normal.matchAll(CUTS)) {
    add(index);
    from = index + mark.length;
  }
  add(normal.length);
  return clauses;
}

function toClause(text: string): Clause | null {
  let rest = text.replaceAll(PSEUDO, ' ').toLowerCase();
  const sides = new Map<string, number>();
  for (const { key, first, second } of COMPILED) {
    const [a, b] = [first.test(rest), second.test(rest)];
    first.lastIndex = second.lastIndex = 0;
    if (a || b) sides.set(key, a && b ? 0 : a ? 1 : -1);
  }
  let negations = 0;
  rest = rest.replaceAll(NEGATION, (cue) => {
    if (NEEDS_T.test(cue)) return cue;
    negations += 1;
    return '';
  });
  for (const { first, second } of COMPILED) rest = rest.replaceAll(first, ' ').replaceAll(second, ' ');
  const words = textWords(rest);
  return words.size === 0 ? null : { text: text.trim(), words, isNegated: negations % 2 === 1, sides };
}

function textWords(text: string): Set<string> {
  const words = new Set<string>();
  for (const [run] of text.matchAll(/\p{Script=Han}+/gu))
    for (let i = 0; i < run.length; i += 1) words.add(run.slice(i, i + 2).padEnd(1));
  for (const [word] of text.matchAll(/[\p{Script=Latin}\d][\p{Script=Latin}\d.,%-]{0,60}/gu)) {
    const stem = word
      .replace(/[.,-]{1,3}$/, '')
      .replace(/(?:ing|ed|es|s)$/, '')
      .slice(0, 6);
    if (!STOP.has(word) && stem !== '') words.add(stem);
  }
  return words;
}

/** Least share of its words that each of two clauses must share with the other one. */
interface Likeness {
  ofClaim: number;
  ofSource: number;
}
const SAME_CLAUSE: Likeness = { ofClaim: 0.8, ofSource: 0.6 };
const SAME_SUBJECT: Likeness = { ofClaim: 0.45, ofSource: 0 };
/** Alternative: the share of the words of the source's clause, with a minimum number of words. */
const COVERED = 0.8;
const LEAST_COVERED = 3;
const LEAST_WORDS = 2;
/** Maximum number of clauses that are compared, of a sentence and of its sources. */
const MOST_OF_CLAIM = 20;
const MOST_OF_SOURCES = 5_000;

/**
 * Returns the contradiction between a sentence and the clauses of its sources that have the same words: an
 * extra or missing negation, or the opposite comparative or verb. Returns null if there is none. A clause
 * that agrees outweighs a clause that contradicts.
 */
export function findOpposite(claim: string, clauses: readonly Clause[]): Difference | null {
  for (const one of clausesOf(claim).slice(0, MOST_OF_CLAIM)) {
    const found = oppositeIn(one, clauses);
    if (found !== null) return { ...found, claim: one.text };
  }
  return null;
}

/** Returns the contradiction between a sentence and the clauses of a text with the same words, or null. */
export const contradictsWords = (claim: string, text: string): Difference | null =>
  findOpposite(claim, clausesOf(text));

function oppositeIn(claim: Clause, clauses: readonly Clause[]): Omit<Difference, 'claim'> | null {
  const weighed = clauses
    .slice(0, MOST_OF_SOURCES)
    .map((clause) => ({ clause, common: common(claim.words, clause.words) }))
    .filter(({ common: count }) => count >= LEAST_WORDS)
    .sort((a, b) => b.common - a.common);
  const like = ({ clause, common: count }: (typeof weighed)[number], { ofClaim, ofSource }: Likeness) =>
    (count >= ofClaim * claim.words.size && count >= ofSource * clause.words.size) ||
    (ofSource === 0 && count >= LEAST_COVERED && count >= COVERED * clause.words.size);
  const equal = weighed.filter((one) => like(one, SAME_CLAUSE));
  if (
    equal.length > 0 &&
    equal.every(({ clause }) => clause.isNegated !== claim.isNegated && !isOpposed(claim, clause))
  )
    return { kind: 'polarity', source: equal[0]!.clause.text };
  const about = weighed.filter((one) => like(one, SAME_SUBJECT));
  for (const { key, kind } of COMPILED) {
    const side = claim.sides.get(key);
    // If a clause has several predicates, the verb may belong to another one, so it proves no contradiction.
    if (side === undefined || side === 0 || (kind === 'verb' && SEVERAL.test(claim.text))) continue;
    const sides = about.map(({ clause }) => {
      const told = clause.sides.get(key);
      return told === undefined || clause.isNegated !== claim.isNegated ? 0 : told;
    });
    const at = sides.indexOf(-side);
    if (at >= 0 && !sides.includes(side)) return { kind, source: about[at]!.clause.text };
  }
  return null;
}

const SEVERAL = /\band\b/iu;

const isOpposed = (a: Clause, b: Clause): boolean =>
  [...a.sides].some(([key, side]) => side !== 0 && b.sides.get(key) === -side);

function common(a: ReadonlySet<string>, b: ReadonlySet<string>): number {
  let count = 0;
  for (const one of a) if (b.has(one)) count += 1;
  return count;
}
