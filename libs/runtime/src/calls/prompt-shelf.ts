import type { PromptSet, PromptSets } from '@casefile/contracts';
import { keptPrompts, type PromptTexts } from '@casefile/pipeline';

/** Prompt texts of this installation, and the form in which they are stored. */
export interface LoadedPrompts extends PromptTexts {
  readonly set: PromptSet;
}

/** Earlier sets of texts in memory. Each release and each local change makes one set. */
const MOST_AT_HAND = 16;

/**
 * Stored texts of prompts: those of this installation, stored before any model is asked with them, and
 * earlier ones.
 */
export class PromptShelf {
  private kept: Promise<void> | null = null;
  private readonly atHand = new Map<string, PromptTexts>();
  /** Id of this installation's set. */
  readonly setId: string;

  constructor(
    private readonly sets: PromptSets,
    private readonly present: LoadedPrompts,
  ) {
    this.setId = present.set.id;
  }

  /** Stores the texts of this installation, once per process. @throws if the store does not answer. */
  keep(): Promise<void> {
    this.kept ??= this.sets.keep(this.present.set).catch((error: unknown) => {
      this.kept = null;
      throw error;
    });
    return this.kept;
  }

  /** Returns the texts of a set; null: not stored. @throws if the store does not answer. */
  async of(setId: string): Promise<PromptTexts | null> {
    if (setId === this.setId) return this.present;
    const known = this.atHand.get(setId);
    if (known !== undefined) return known;
    const set = await this.sets.get(setId);
    if (set === null) return null;
    const texts = keptPrompts(set, this.present);
    const [oldest] = this.atHand.keys();
    if (this.atHand.size >= MOST_AT_HAND && oldest !== undefined) this.atHand.delete(oldest);
    this.atHand.set(setId, texts);
    return texts;
  }
}
