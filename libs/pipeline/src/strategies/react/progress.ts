import { canonicalJson, type Json, type JsonObject, type ToolCall } from '@casefile/contracts';

/** Of one result, in characters: what is read of it to see whether it says anything new. */
const READ = 200_000;
/** Share of the words and figures of a result that have to be new. A page of a log that moves on by a line has a few. */
const NEW_SHARE = 0.03;
const WORD = /[\p{L}\p{N}_.:/-]{1,100}/gu;
/** A clock time, a date with its time, or seconds or milliseconds since the epoch: new at every look, and no news. */
const TIME = /^(?:\d{4}-\d\d-\d\dt[\d:.z+-]*|\d{1,2}:\d\d[\d:.]*|1\d{9}(?:\d{3})?(?:\.\d+)?)$/;
/** A word by which something may be named: a host, a service, a pod. */
const isName = (word: string) => word.length >= 3 && /\p{L}/u.test(word);

/**
 * Tells whether the calls of a turn bring anything new. A result does when it has words or figures that nothing before
 * had; a question does, whatever it is answered, when it asks a tool about something that the case names (one host after
 * another may all be well). A question that is only worded otherwise and answered the same does not.
 */
export class Progress {
  private readonly known: Set<string>;
  private readonly asked = new Set<string>();

  /** @param material What the model was given to judge before its first call: what that names may be asked about. */
  constructor(material: readonly string[]) {
    this.known = new Set(material.flatMap(wordsOf));
  }

  /** @param calls The new ones of a turn. */
  note(calls: readonly ToolCall[]): boolean {
    // Each is looked at, for what it says is known from now on.
    return calls.map((call) => this.noteOne(call)).some(Boolean);
  }

  private noteOne({ tool, args, state, result }: ToolCall): boolean {
    const own = new Set(wordsOf(valuesOf(args)));
    const named = [...own].filter((word) => isName(word) && this.known.has(word));
    const newlyAsked = named.filter((word) => !this.asked.has(`${tool} ${word}`));
    for (const word of newlyAsked) this.asked.add(`${tool} ${word}`);
    return this.saysNews(state === 'succeeded' ? result : null, own) || newlyAsked.length > 0;
  }

  private saysNews(result: Json, asked: ReadonlySet<string>): boolean {
    // What it repeats of the question is no answer.
    const said = wordsOf(typeof result === 'string' ? result : canonicalJson(result)).filter(
      (word) => !asked.has(word) && !TIME.test(word),
    );
    const news = said.filter((word) => !this.known.has(word));
    for (const word of news) this.known.add(word);
    return news.length > said.length * NEW_SHARE;
  }
}

function wordsOf(text: string): string[] {
  return [...new Set(text.slice(0, READ).toLowerCase().match(WORD))];
}

function valuesOf(args: JsonObject): string {
  return Object.values(args)
    .map((value) => (typeof value === 'string' ? value : canonicalJson(value)))
    .join(' ');
}
