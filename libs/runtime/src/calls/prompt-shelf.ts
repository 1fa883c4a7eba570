import type { PromptSet, PromptSets } from '@casefile/contracts';
import { keptPrompts, type PromptTexts } from '@casefile/pipeline';

/** The texts of this installation, and as what they are kept. */
export interface LoadedPrompts extends PromptTexts {
  readonly set: PromptSet;
}

/** Earlier sets of texts that a process has at hand: one a release, or a change of somebody's own. */
const MOST_AT_HAND = 16;

/** Texts of prompts on the record: those of this installation, kept before a model is asked by them, and those of earlier ones. */
export class PromptShelf {
  private kept: Promise<void> | null = null;
  private readonly atHand = new Map<string, PromptTexts>();
  /** The set of this installation. */
  readonly setId: string;

  constructor(
    private readonly sets: PromptSets,
    private readonly present: LoadedPrompts,
  ) {
    this.setId = present.set.id;
  }

  /** Keeps the texts of this installation, once in the life of the process. @throws when the store does not answer. */
  keep(): Promise<void> {
    this.kept ??= this.sets.keep(this.present.set).catch((error: unknown) => {
      this.kept = null;
      throw error;
    });
    return this.kept;
  }

  /** The texts of a set; null: it was not kept. @throws when the store does not answer. */
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
