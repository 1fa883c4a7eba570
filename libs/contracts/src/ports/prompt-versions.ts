import type { Act } from '../act.js';
import type { PromptState } from './rollout.js';

/** Name of a prompt: the two parts of its id without the version. */
export interface PromptName {
  /** First part of the id: `kind` of `kind/answer@2`. */
  playbook: string;
  name: string;
}

/** A version of a prompt, without its text. */
export interface PromptVersionEntry extends PromptName {
  version: number;
  /** Recorded id of the text. */
  id: string;
  /** SHA-256 of the text, hexadecimal. */
  sha256: string;
  /** `shipped`, `folder`, or a person. */
  author: string;
  message: string;
  /** The version that this one was made from. null: not known. */
  parent: number | null;
  state: PromptState;
  /** The person who moved it to its state. null: no person did, so an upgrade may replace it. */
  movedBy: string | null;
  /** Reason why this release cannot use the text. null: it can. */
  unfit: string | null;
  /** ISO 8601. */
  createdAt: string;
  changedAt: string;
}

/** A version with its text. */
export interface PromptVersionText extends PromptVersionEntry {
  text: string;
}

/** A text that this installation ships or reads from its folder. */
export interface InstalledPromptText extends PromptName {
  id: string;
  sha256: string;
  text: string;
  author: 'shipped' | 'folder';
  /** Version number in the id of the declaration. */
  declared: number;
  /** Whether runs of this installation use it. A person may make another version live. */
  inForce: boolean;
}

/** An act on a prompt, for its history. */
export interface PromptAct extends Act {
  type: 'prompt.version_added' | 'prompt.state_changed';
  version: number;
  /** State before the act. null: the version was added. */
  from: PromptState | null;
  to: PromptState;
  /** The version that was live before. null: the live version did not change. */
  replaced: number | null;
  at: string;
}

export interface NewPromptVersion extends PromptName, Act {
  id: string;
  sha256: string;
  text: string;
  parent: number | null;
}

export interface PromptMove extends PromptName, Act {
  version: number;
  to: PromptState;
}

/** Versions of prompts on the record. */
export interface PromptVersions {
  /** Lists the versions of all prompts, or of one, by name and version. */
  list(of?: PromptName): Promise<PromptVersionEntry[]>;
  /** Returns a version with its text. null: there is no such version. */
  get(of: PromptName, version: number): Promise<PromptVersionText | null>;
  /** Lists the acts on a prompt, the newest first. */
  history(of: PromptName, limit: number): Promise<PromptAct[]>;
  /**
   * Adds a text as a candidate, in one transaction with its event. A text that is already a version is not
   * added again.
   */
  add(version: NewPromptVersion): Promise<{ version: PromptVersionEntry; added: boolean }>;
  /**
   * Moves a version to a state, in one transaction with its event. A version that becomes live retires the
   * version that was live.
   * @throws CasefileError `not_found`; `conflict` if the move would leave the prompt without a live version
   * or take a version from a running experiment.
   */
  move(move: PromptMove): Promise<PromptVersionEntry>;
  /**
   * Adds the installation's texts as versions. A text in force becomes live unless a person moved the live
   * version.
   * @returns the prompts whose live version a person moved, and whose text in force is another one.
   */
  install(texts: readonly InstalledPromptText[]): Promise<PromptName[]>;
  /** Returns the texts of versions that are not retired, to check them against this release. */
  inUse(): Promise<PromptVersionText[]>;
  /** Notes why this release cannot use a version. null: it can. */
  noteFit(of: PromptName, version: number, unfit: string | null): Promise<void>;
}
