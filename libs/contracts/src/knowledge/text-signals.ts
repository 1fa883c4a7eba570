/** A signal in the text itself, with the words that show it. */
export interface TextSignal {
  /** A code such as `asks_money`. New codes may be added. */
  kind: string;
  /** Verbatim parts of the text, the first ones of each kind. */
  words: string[];
  /** Language of the matching rules (BCP 47). `und` for links and symbols. */
  language: string;
}

/** Result of the message model, which was trained on labelled messages. */
export interface MessageModelReading {
  /** Similarity to known scams rather than to harmless messages, 0..1 in hundredths. */
  score: number;
  /** The words with the highest weight for that side, verbatim. */
  words: string[];
}

/** Signals for and against the sender in a text. */
export interface TextSignals {
  /** Signals of a scam that outweigh those in favour of the sender. Empty: none. */
  signals: TextSignal[];
  /** Signals too weak or outweighed to count. */
  notes: TextSignal[];
  /** Signals of a legitimate sender. */
  legitimacy: TextSignal[];
  /**
   * Whether most of the text is in a language that the rules support. Text in other languages shows no
   * signals.
   */
  isRead: boolean;
  /** Total weight of the signals, less those in favour of the sender. One plain request weighs 1. */
  weight: number;
  /**
   * Whether the text asks its reader for something: an act, data, an answer, or to use a link or number. In a
   * notice of something done, a number for questions about it does not count.
   */
  asks: boolean;
  /** null: the text is too short, or its language is not supported. */
  messageModel: MessageModelReading | null;
}

/**
 * Reads a text with rules and the message model. Needs no key and no network. Takes linear time, and reads
 * only a limited part of the text.
 */
export type ReadTextSignals = (text: string) => Promise<TextSignals>;
