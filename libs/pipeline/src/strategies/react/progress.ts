import { canonicalJson, type Json, type JsonObject, type ToolCall } from '@casefile/contracts';

/** Characters of one result that are searched for new words. */
const READ = 200_000;
/**
 * Share of new words and figures from which a result is new. A log page that moves on by a line has a few.
 */
const NEW_SHARE = 0.03;
const WORD = /[\p{L}\p{N}_.:/-]{1,100}/gu;
/**
 * A clock time, a date with its time, or seconds or milliseconds since the epoch: always new, but not
 * information.
 */
const TIME = /^(?:\d{4}-\d\d-\d\dt[\d:.z+-]*|\d{1,2}:\d\d[\d:.]*|1\d{9}(?:\d{3})?(?:\.\d+)?)$/;
/** A word that may be a name: a host, a service, a pod. */
const isName = (word: string) => word.length >= 3 && /\p{L}/u.test(word);

/**
 * Decides whether the calls of a turn bring anything new. A result does if it has words or figures that
 * nothing before had. A question does, whatever the answer, if it asks a tool about a new name of the case
 * (each of several hosts may be well). A reworded question with the same answer does not.
 */
export class Progress {
  private readonly known: Set<string>;
  private readonly asked = new Set<string>();

  /** @param material Text given to the model before its first call; the model may ask about names in it. */
  constructor(material: readonly string[]) {
    this.known = new Set(material.flatMap(textWords));
  }

  /** @param calls New calls of a turn. */
  note(calls: readonly ToolCall[]): boolean {
    // Every call is processed, because its words count as known from now on.
    return calls.map((call) => this.noteOne(call)).some(Boolean);
  }

  private noteOne({ tool, args, state, result }: ToolCall): boolean {
    const own = new Set(textWords(valuesOf(args)));
    const named = [...own].filter((word) => isName(word) && this.known.has(word));
    const newlyAsked = named.filter((word) => !this.asked.has(`${tool} ${word}`));
    for (const word of newlyAsked) this.asked.add(`${tool} ${word}`);
    return this.saysNews(state === 'succeeded' ? result : null, own) || newlyAsked.length > 0;
  }

  private saysNews(result: Json, asked: ReadonlySet<string>): boolean {
    // Words repeated from the question are not part of the answer.
    const said = textWords(typeof result === 'string' ? result : canonicalJson(result)).filter(
      (word) => !asked.has(word) && !TIME.test(word),
    );
    const news = said.filter((word) => !this.known.has(word));
    for (const word of news) this.known.add(word);
    return news.length > said.length * NEW_SHARE;
  }
}

function textWords(text: string): string[] {
  return [...new Set(text.slice(0, READ).toLowerCase().match(WORD))];
}

function valuesOf(args: JsonObject): string {
  return Object.values(args)
    .map((value) => (typeof value === 'string' ? value : canonicalJson(value)))
    .join(' ');
}
