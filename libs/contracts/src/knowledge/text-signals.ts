/** One thing that a text itself says, and the words that it stands on. S1-16. */
export interface TextSignal {
  /** A code such as `asks_money`; new ones may be added. */
  kind: string;
  /** Parts of the text as it stands, the first ones of each kind. */
  words: string[];
  /** BCP 47 of the rules that found it; `und` for links and signs. */
  language: string;
}

/** What a text says for and against its sender. */
export interface TextSignals {
  /** Signs of a scam that hold against what speaks for the sender; empty: nothing was found. */
  signals: TextSignal[];
  /** Signs too weak, or outweighed, to count. */
  notes: TextSignal[];
  /** What speaks for a true sender. */
  legitimacy: TextSignal[];
  /** Is the text in a language that the rules read, in good part? What they cannot read shows no signs either. */
  isRead: boolean;
  /** How much the signs weigh in all, less what speaks for the sender; 1 is what one plain request weighs. */
  weight: number;
  /**
   * How much more its words are like those of known scams than of harmless messages, 0..1 in hundredths; null: too short to
   * tell, or in a language that is not read.
   */
  likeness: number | null;
}

/** Reads a text by rules and a word model: no key, no network, in time linear in its length, of which a bounded part is read. */
export type ReadTextSignals = (text: string) => Promise<TextSignals>;
