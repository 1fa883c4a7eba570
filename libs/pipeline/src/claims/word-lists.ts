/** Words of one meaning by language (BCP 47): sources of regular expressions with `|` between alternatives. */
type Table = Readonly<Partial<Record<string, string>>>;

/** Languages without blanks between words, whose words are found anywhere. */
const UNSPACED: ReadonlySet<string> = new Set(['zh', 'ja']);
/** Words of another language than the text's count from this length, because short words mean something else. */
const LEAST_FOREIGN = 4;
const MOST_READ = 4_000;

/** A word of a list in a text. */
export interface FoundWord {
  said: string;
  from: number;
  to: number;
}

/** Words of one meaning in several languages. */
export class WordList {
  private readonly forms: ReadonlyMap<string, RegExp>;

  constructor(table: Table) {
    this.forms = new Map(
      Object.entries(table).map(([language, words = '(?!)']) => [
        language,
        UNSPACED.has(language)
          ? new RegExp(`(?:${words})`, 'giu')
          : new RegExp(`(?<![\\p{L}\\p{N}_])(?:${words})(?![\\p{L}\\p{N}_])`, 'giu'),
      ]),
    );
  }

  /**
   * Returns the words of the list in a text, in their order. English is always read, because names of states are
   * English in every language.
   * @param language Language of the text; null: not known, so each language is read, without short words.
   */
  in(text: string, language: string | null): FoundWord[] {
    const read = text.slice(0, MOST_READ);
    const own = [...this.forms].filter(([code]) => code === 'en' || language === null || code === language);
    return own
      .flatMap(([code, form]) =>
        [...read.matchAll(form)].flatMap(({ 0: said, index: from }) =>
          language === null && code !== 'en' && !UNSPACED.has(code) && said.length < LEAST_FOREIGN
            ? []
            : [{ said, from, to: from + said.length }],
        ),
      )
      .sort((a, b) => a.from - b.from);
  }

  /** Returns the first word of the list in a text; null: there is none. */
  first(text: string, language: string | null): FoundWord | null {
    return this.in(text, language)[0] ?? null;
  }
}
