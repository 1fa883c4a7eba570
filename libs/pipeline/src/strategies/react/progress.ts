import { isObject, type Json, type ToolCall } from '@casefile/contracts';

/** Characters of one result that are searched for new words. */
const READ = 200_000;
/**
 * Share of new words and figures from which a result counts as new. A log page that moves on by a line has a
 * few new ones.
 */
const NEW_SHARE = 0.03;
const WORD = /[\p{L}\p{N}_.:/-]{1,100}/gu;
/**
 * A clock time, a date with time, or seconds or milliseconds since the epoch. They always change and are not
 * information.
 */
const TIME = /^(?:\d{4}-\d\d-\d\dt[\d:.z+-]*|\d{1,2}:\d\d[\d:.]*|1\d{9}(?:\d{3})?(?:\.\d+)?)$/;
/** A word that may be a name: a host, a service, a pod. */
const isName = (word: string) => word.length >= 3 && /\p{L}/u.test(word);

/**
 * Decides whether the calls of a turn yield anything new. A result is new if it has words or figures that did
 * not occur before. A call is new, regardless of its result, if it queries a tool about a new name of the
 * case, because each of several hosts may be healthy. A reworded question with the same answer is not new.
 */
export class Progress {
  private readonly known: Set<string>;
  private readonly askedWords = new Set<string>();

  /** @param material text given to the model before its first call. The model may ask about names in it. */
  constructor(material: readonly string[]) {
    this.known = new Set(material.flatMap(textWords));
  }

  /** @param calls New calls of a turn. */
  note(calls: readonly ToolCall[]): boolean {
    // Every call is processed, because its words count as known afterwards.
    return calls.map((call) => this.noteOne(call)).some(Boolean);
  }

  private noteOne({ tool, args, state, result }: ToolCall): boolean {
    const own = new Set(textWords(valuesIn(Object.values(args))));
    const named = [...own].filter((word) => isName(word) && this.known.has(word));
    const newlyAsked = named.filter((word) => !this.askedWords.has(`${tool} ${word}`));
    for (const word of newlyAsked) this.askedWords.add(`${tool} ${word}`);
    return this.saysNews(state === 'succeeded' ? result : null, own) || newlyAsked.length > 0;
  }

  private saysNews(result: Json, questions: ReadonlySet<string>): boolean {
    // Words of the question that the answer repeats do not count as part of the answer.
    const said = textWords(valuesIn(result)).filter((word) => !questions.has(word) && !TIME.test(word));
    const news = said.filter((word) => !this.known.has(word));
    for (const word of news) this.known.add(word);
    return news.length > said.length * NEW_SHARE;
  }
}

function textWords(text: string): string[] {
  return [...new Set(text.slice(0, READ).toLowerCase().match(WORD))];
}

/** Returns the texts and figures of a value. In JSON, a line end would be a letter of the next word. */
function valuesIn(value: Json): string {
  if (Array.isArray(value)) return value.map(valuesIn).join(' ');
  if (!isObject(value)) return String(value ?? '');
  return Object.entries(value as Record<string, Json>)
    .map(([name, one]) => `${name} ${valuesIn(one)}`)
    .join(' ');
}
