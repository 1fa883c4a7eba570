/** The text of a prompt. */
export interface KeptPrompt {
  /** The prompt id on the record: with the version, and with a hash if the text is not the shipped one. */
  id: string;
  /** Hash of the text, hexadecimal. */
  sha256: string;
  text: string;
}

/** The texts of all prompts of an installation. */
export interface PromptSet {
  /** Derived from the texts. Equal texts give an equal id. */
  id: string;
  prompts: readonly KeptPrompt[];
}

/** Stored prompt texts, so that a question can be repeated after the prompts have changed. */
export interface PromptSets {
  /** Stores the texts. A text that is already stored stays unchanged. */
  keep(set: PromptSet): Promise<void>;
  /** Returns a set. null: there is no such set. */
  get(id: string): Promise<PromptSet | null>;
  /** Returns the stored texts with these ids and hashes. Unknown ones are left out. */
  texts(keys: readonly Pick<KeptPrompt, 'id' | 'sha256'>[]): Promise<KeptPrompt[]>;
}
