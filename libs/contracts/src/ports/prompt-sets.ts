/** The text of a prompt. */
export interface KeptPrompt {
  /** As it stands on the record: with its version, and a hash where it is not the shipped text. */
  id: string;
  /** Of the text, hexadecimal. */
  sha256: string;
  text: string;
}

/** The texts of all prompts that an installation has together. */
export interface PromptSet {
  /** Derived from its texts: the same texts are the same set. */
  id: string;
  prompts: readonly KeptPrompt[];
}

/** Texts that models were asked by: kept, so that what was asked can be asked again when there are others. R18, S4-58. */
export interface PromptSets {
  /** Keeps the texts; those that it has already stay. */
  keep(set: PromptSet): Promise<void>;
  /** null: no such set was kept. */
  get(id: string): Promise<PromptSet | null>;
}
