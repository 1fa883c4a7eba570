import { createHash } from 'node:crypto';
import {
  CasefileError,
  type KeptPrompt,
  type PromptSet,
  type PromptSets,
  type RunSettings,
} from '@casefile/contracts';
import { keptPrompts, promptName, type Prompt, type PromptText, type PromptTexts } from '@casefile/pipeline';

/** Prompt texts of this installation, and the form in which they are stored. */
export interface LoadedPrompts extends PromptTexts {
  readonly set: PromptSet;
  /** Each prompt with its shipped text, and the text of the folder if that replaces it. */
  readonly installed: readonly InstalledPrompt[];
}

export interface InstalledPrompt {
  prompt: Prompt;
  shipped: PromptText;
  /** Text of the user's folder; null: the shipped text is in force. */
  folder: PromptText | null;
}

/** The texts of one run. */
export interface RunPrompts {
  texts: PromptTexts;
  /** Id of their set, which the run's model calls are recorded with. */
  setId: string;
  /** Stores the set before a model is asked with it. @throws if the store does not answer. */
  keep(): Promise<void>;
}

/** Maximum number of earlier sets of texts in memory. Each release and each local change makes one set. */
const MOST_AT_HAND = 16;

/**
 * Texts of prompts that the store keeps: the texts of this installation, the versions that runs chose when they
 * began, and earlier texts. The texts of this installation are stored before any model is called with them.
 */
export class StoredPrompts {
  private readonly atHand = new Map<string, PromptTexts>();
  private readonly ofRuns = new Map<string, Promise<RunPrompts>>();
  private readonly own: RunPrompts;

  constructor(
    private readonly sets: PromptSets,
    private readonly present: LoadedPrompts,
  ) {
    this.own = this.runPrompts(present, present.set);
  }

  /**
   * Returns the texts that a run with these settings uses: those of this installation, except where the run was
   * frozen with another version. @throws if the store does not answer or does not have a text.
   */
  ofRun({ promptTexts = [] }: Pick<RunSettings, 'promptTexts'>): Promise<RunPrompts> {
    if (promptTexts.length === 0) return Promise.resolve(this.own);
    const key = promptTexts.map(({ id, sha256 }) => `${id} ${sha256}`).join('\n');
    const cachedPrompts = this.ofRuns.get(key);
    if (cachedPrompts !== undefined) return cachedPrompts;
    const read = this.readVersions(promptTexts).catch((error: unknown) => {
      this.ofRuns.delete(key);
      throw error;
    });
    putBounded(this.ofRuns, key, read);
    return read;
  }

  /** Returns the texts of a set; null: not stored. @throws if the store does not answer. */
  async of(setId: string): Promise<PromptTexts | null> {
    if (setId === this.own.setId) return this.present;
    const cachedTexts = this.atHand.get(setId);
    if (cachedTexts !== undefined) return cachedTexts;
    const set = await this.sets.get(setId);
    if (set === null) return null;
    const texts = keptPrompts(set, this.present);
    putBounded(this.atHand, setId, texts);
    return texts;
  }

  private async readVersions(references: NonNullable<RunSettings['promptTexts']>): Promise<RunPrompts> {
    const prompts = await this.sets.texts(references);
    const missing = references.filter(
      ({ id, sha256 }) => !prompts.some((one) => one.id === id && one.sha256 === sha256),
    );
    if (missing.length > 0)
      throw new CasefileError(
        'bad_playbook',
        `The record does not have the text of ${missing.map(({ id }) => id).join(', ')}, which the run was frozen with`,
      );
    const names = new Set(prompts.map(({ id }) => promptName(id)));
    const others = this.present.set.prompts.filter(({ id }) => !names.has(promptName(id)));
    return this.runPrompts(
      keptPrompts({ id: '', prompts }, this.present),
      promptSet([...others, ...prompts]),
    );
  }

  private runPrompts(texts: PromptTexts, set: PromptSet): RunPrompts {
    let pendingSave: Promise<void> | null = null;
    return {
      texts,
      setId: set.id,
      keep: () =>
        (pendingSave ??= this.sets.keep(set).catch((error: unknown) => {
          pendingSave = null;
          throw error;
        })),
    };
  }
}

function putBounded<T>(map: Map<string, T>, key: string, value: T): void {
  const [oldest] = map.keys();
  if (map.size >= MOST_AT_HAND && oldest !== undefined) map.delete(oldest);
  map.set(key, value);
}

/** Returns the set of these texts. Equal texts give an equal id. */
export function promptSet(texts: readonly KeptPrompt[]): PromptSet {
  const prompts = texts
    .map(({ id, sha256, text }) => ({ id, sha256, text }))
    .sort((a, b) => (a.id < b.id ? -1 : 1));
  const id = textDigest(prompts.map((prompt) => `${prompt.id} ${prompt.sha256}`).join('\n')).slice(0, 16);
  return { id, prompts };
}

/** Returns the SHA-256 of a text, hexadecimal. */
export const textDigest = (text: string): string => createHash('sha256').update(text).digest('hex');
