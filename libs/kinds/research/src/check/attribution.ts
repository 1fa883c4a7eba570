import { hasHan } from '@casefile/pipeline/reading/index';
import type { Original } from './passages.js';

/** Clauses that state what no source says. Such clauses need no source. */
const ABSENCE_ZH =
  /(?:沒有|尚無|並無|查無|未見|找不到|缺乏|目前無|未有|無(?=任何|官方|可靠|來源|證據))[^，。；]{0,16}(?:來源|官方|證據|證實|資料|報導|媒體|公告|紀錄|提到|提及|指出|顯示|佐證|說明)|(?:來源|官方|報導|資料|文件|公告|新聞|媒體|政府|機關|都|皆|均|\[E\d{1,5}\])[^，。；]{0,12}(?:未|沒有|並未|不曾)[^，。；]{0,8}(?:證實|提到|提及|指出|說明|顯示|確認|記載|報導|公布|交代|列出|回應|出現)|(?:來源|官方|資料|公告|報導|文件)[^，。；]{0,8}(?:中|裡|上)?(?:找不到|查不到|未見|看不到|不見)|未經證實|(?:尚待|無法|未獲|無從|有待)(?:官方)?(?:證實|確認|查證)/u;
const ABSENCE_EN =
  /\b(?:no|neither|none|nor|nothing|nobody|not (?:one|a single|any)|without any|lack of)\b[^.;]{0,60}\b(?:sources?|evidence|reports?|records?|data|documents?|confirmation|outlets?|statements?|announcements?|mention(?:s|ed)?|confirm(?:s|ed)?|says?|said|support(?:s|ed)?|stat(?:es|ed)|proof|indicat(?:es|ed|ion))\b|\b(?:sources?|articles?|outlets?|documents?|it|they|agenc(?:y|ies)|officials?|authorit(?:y|ies)|statements?|reports?)\b[^.;,]{0,40}\b(?:do|does|did|has|have|had|is|are|was|were|could|can)(?: not|n't|n’t)\b[^.;,]{0,20}\b(?:mention|confirm|say|said|state|support|report|address|specify|cover|name|provide|indicate|show|contain|verified)|\bunconfirmed\b|\bunverified\b|\b(?:not|never) (?:been )?(?:independently )?(?:confirmed|verified)\b|\b(?:is|are|remains?) (?:not known|unclear|unknown|not clear|uncertain)\b/iu;
const CLAUSES =
  /[，。；;.!?！？]\s?|,\s(?:but|and|while|whereas|although|though|yet)\s|，?(?:但是?|不過|然而|而)/gu;

/** Further words for the same. */
const SAYS_NOTHING =
  /(?:來源|官方|報導|資料|文件|公告|新聞|媒體)[^，,。；]{0,8}(?:未|沒有|並未)(?:說|寫|談|講)/u;
/** A comma of a Chinese sentence. In a normalised text it is the comma of ASCII, without a blank. */
const HAN_COMMA = /,(?:(?<=[\p{Script=Han}」』）)%\]],)|(?=[\p{Script=Han}「『]))/gu;
/** A clause that asks something, or names a topic: no source says this if the next or last clause states so. */
const ASKS =
  /是否|會不會|有沒有|能不能|何時|何地|多少|哪|誰|如何|為何|為什麼|至於|關於|對於|針對|\b(?:whether|how|when|where|why|who|what|which|as (?:to|for)|regarding|concerning)\b/iu;

// Next to a clause about missing sources, a rumour is a statement that no source confirms.
const isRumour = (clause: string): boolean => hasHan(clause) && OF_FORUM.test(clause);

/** Returns the spans of a sentence that report that no source states something or that it is unknown. */
export function absencesIn(text: string): (readonly [from: number, to: number])[] {
  const marks = [...text.matchAll(CLAUSES), ...text.matchAll(HAN_COMMA)];
  const ends = marks.map(({ index, 0: mark }) => index + mark.length);
  const cuts = [...new Set([0, ...ends.sort((a, b) => a - b), text.length])];
  const spans = cuts.slice(1).map((to, i) => [cuts[i]!, to] as const);
  const clauses = spans.map(([from, to]) => text.slice(from, to));
  const states = (i: number) =>
    [ABSENCE_ZH, ABSENCE_EN, SAYS_NOTHING].some((one) => one.test(clauses[i] ?? ''));
  const belongs = (i: number) =>
    (ASKS.test(clauses[i]!) || isRumour(clauses[i]!)) && (states(i + 1) || (i > 0 && states(i - 1)));
  return spans.filter((_, i) => states(i) || belongs(i));
}

/** Words that attribute a statement to an authority. */
const OFFICIAL =
  /(?:官方|政府|當局|主管機關)(?:的)?(?:消息|媒體|來源|資料|指出|證實|說法|表示|宣布|公布|統計|調查|確認|已)|第[一1]級來源|\b(?:official|government|tier[ -]?1) (?:sources?|figures?|data|statistics)\b|\b(?:officials?|government|authorities|police)(?: media| outlets?| of \p{Lu}\p{L}+)? (?:says?|said|confirm(?:s|ed)?|reports?|reported|announced|announces|states?|stated|warn(?:s|ed)?|estimates?)/iu;
/** Words by which a source shows that an authority says it. */
const OF_AUTHORITY =
  /官方|政府|當局|警方|消防|[部署局院處會]長|發言人|市長|縣長|總統|[部署局院](?=[，。、：在於表宣指說公])|[縣市]府|委員會|審議會|\b(?:officials?|government|authorit(?:y|ies)|minist(?:ry|er)|police|agency|department|bureau|council|mayor|president|commission(?:er)?|spokes(?:person|man|woman)|administration|secretary|governor|senator|court|regulators?|[A-Z]{3,5})\b/u;
const OFFICIAL_HOST = /(?:^|\.)(?:gov|gouv|go|govt|gob|gov\.\w{2}|mil|int|europa\.eu)(?:\.\w{2})?$/u;

/** Returns whether a source is from an authority, by its tier, type or domain. */
function isOfficial({ tier, type, host }: Original): boolean {
  return tier === 1 || type === 'official' || type === 'government' || OFFICIAL_HOST.test(host);
}

/**
 * Returns whether a sentence presents a statement as official although its source is not. @param passage The
 * passage of the source that supports it.
 */
export function overstatesAuthority(text: string, source: Original, passage: string): boolean {
  if (!OFFICIAL.test(text) || isOfficial(source)) return false;
  return isForum(source) || !OF_AUTHORITY.test(passage);
}

const isForum = ({ tier, type }: Original): boolean => type === 'social' || tier === 5;

/** Words that attribute a statement to users of a forum. */
const OF_FORUM =
  /網友|網民|網路|網上|鄉民|貼文|發文|留言|論壇|社群|批踢踢|PTT|Dcard|臉書|LINE|爆料|網傳|傳言|流傳|謠言|謠傳|傳聞|據稱|聲稱|宣稱|自稱|號稱|有人|聽說|說法|疑似|網站|部落格|\b(?:users?|posts?|posted|poster|forum|thread|comment(?:s|ers?)?|claim(?:s|ed|ing)?|rumou?rs?|alleg(?:es|ed|edly|ations?)|reportedly|purported(?:ly)?|social media|online|viral|reddit|facebook|tweet(?:s|ed)?|someone|unverified|unconfirmed|hearsay|supposedly|anonymous|websites?|web ?pages?|sites?|blogs?|page|campaign)\b/iu;

/** Returns whether a sentence attributes its content to users of a forum, or calls it a rumour. */
export const isHearsay = (text: string): boolean => OF_FORUM.test(text);

/** Returns whether a sentence attributes its content to users of the forum that it cites. */
export const isLeftToForum = (text: string, source: Original): boolean =>
  isForum(source) && OF_FORUM.test(text);

/** Returns whether a sentence states as a fact what only a forum says. */
export function statesForumAsFact(text: string, cited: readonly Original[]): boolean {
  if (cited.length === 0 || !cited.every(isForum) || OF_FORUM.test(text)) return false;
  return !cited.some(({ site }) => site !== '' && text.toLowerCase().includes(site.toLowerCase()));
}

const SEVERAL =
  /(?:多個|多家|數個|數家|許多|各家|各大|眾多|不少|好幾[家個])[^，。；]{0,4}(?:來源|媒體|報導|機構|單位|專家|研究)|\b(?:multiple|several|many|numerous|various|a number of)(?: \w+)? (?:sources|outlets|reports|media|newspapers|agencies|organi[sz]ations|studies)\b/iu;

/** Returns whether a sentence refers to several sources and cites only one. */
export const overstatesSources = (text: string, cited: readonly Original[]): boolean =>
  cited.length === 1 && SEVERAL.test(text) && !SEVERAL.test(cited[0]!.text);
