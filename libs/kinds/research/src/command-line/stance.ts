/** Possible answers of a fact check. */
export const STANCES = ['supported', 'refuted', 'unclear'] as const;
export type Stance = (typeof STANCES)[number];

/** Number of a report's sentences that are read for its answer, and their maximum length in characters. */
const SENTENCES = 4;
const LONGEST = 600;

/**
 * Words by which reports state their answer. Words of an open question are tried first, then those of a
 * refutation.
 */
const WORDS: readonly (readonly [Stance, RegExp])[] = [
  [
    'unclear',
    /(?:無法|不能|難以|尚未|未能|還不能|未經)(?:\S{0,4})(?:證實|確認|判斷|查證|斷定)|沒有定論|尚無定論|仍不明|證據不足|沒有足夠|說法不一|互相矛盾|cannot (?:yet )?be (?:confirmed|verified|determined|answered)|could not be (?:confirmed|verified)|\bunclear\b|\bunconfirmed\b|\bnot (?:yet )?(?:been )?(?:confirmed|decided|known|established)\b|insufficient evidence|too early to|sources (?:disagree|conflict)/iu,
  ],
  [
    'refuted',
    /不實|不是真的|並非(?:事實|如此|屬實)|不屬實|不正確|是錯的|錯誤|謠言|誤傳|與事實不符|沒有(?:任何)?根據|假(?:訊息|消息|的)|\b(?:is|are|was|were) (?:not true|false|incorrect|wrong|untrue|a hoax)\b|\bnot true\b|\bfalse\b|\bno[,.:]|\bdid not\b|\bhas not\b|\brefut|\bdebunk|\bmisleading\b|\bcontrary to\b|\bno evidence\b/iu,
  ],
  [
    'supported',
    /屬實|是真的|確實|正確|沒錯|已(?:獲|經)?證實|\b(?:is|are|was|were) (?:true|correct|accurate|confirmed)\b|\byes[,.:]|\bindeed\b|\btrue\b|\bconfirm(?:s|ed)\b/iu,
  ],
];

/**
 * Returns the answer that the first sentences of a report state, by their words; null: they state none. This
 * is an approximation for totals over a set: a report has no field for its answer, and a sentence may use
 * these words with another meaning.
 */
export function reportStance(report: string): Stance | null {
  const lines = report.split('\n').filter((line) => line.trim() !== '' && !/^\s*(?:#|>|\|)/.test(line));
  const opening = lines
    .join(' ')
    .slice(0, SENTENCES * LONGEST)
    .split(/(?<=[。！？!?])|(?<=\.)\s/u)
    .slice(0, SENTENCES);
  for (const sentence of opening)
    for (const [stance, words] of WORDS) if (words.test(sentence.slice(0, LONGEST))) return stance;
  return null;
}
