/** One thing that a text itself says, and the words that it stands on. S1-16. */
export interface TextSignal {
  /** A code such as `asks_money`; new ones may be added. */
  kind: string;
  /** Parts of the text as it stands, the first ones of each kind. */
  words: string[];
  /** BCP 47 of the rules that found it; `und` for links and signs. */
  language: string;
}

/** What the message model, which learned from labelled messages, says of a text. */
export interface MessageModelReading {
  /** How much more it is like known scams than like harmless messages, 0..1 in hundredths. */
  score: number;
  /** The words that weighed most on that side, as they stand in the text. */
  words: string[];
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
  /** null: too short to tell, or in a language that is not read. */
  messageModel: MessageModelReading | null;
}

/** Reads a text by rules and the message model: no key, no network, in time linear in its length, of which a bounded part is read. */
export type ReadTextSignals = (text: string) => Promise<TextSignals>;
