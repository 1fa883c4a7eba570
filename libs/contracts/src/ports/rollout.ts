import type { SettingsChange } from '../ops-api-rerun.js';
import type { FrozenRecalibration } from '../rollout/recalibration.js';

/** States of a prompt version. `shadow`: a running experiment uses it. Each prompt has one live version. */
export const PROMPT_STATES = ['candidate', 'shadow', 'live', 'retired'] as const;
export type PromptState = (typeof PROMPT_STATES)[number];

/** Longest text of a prompt, in UTF-16 units: twenty times the longest shipped one. */
export const LONGEST_PROMPT_VERSION = 64 * 1024;

/** A prompt version that new runs may use, without its text. */
export interface RolledOutPrompt {
  /** First part of the prompt's id: `kind` of `kind/answer@2`. */
  playbook: string;
  name: string;
  version: number;
  /** Recorded id of the text. */
  id: string;
  /** SHA-256 of the text, hexadecimal. */
  sha256: string;
  state: Extract<PromptState, 'live' | 'shadow'>;
  /** Whether a person made it live. If not, the installation's own text is used. */
  moved: boolean;
}

/** A flag that a person or a rule has set. */
export interface FlagState {
  name: string;
  variant: string;
  /** Number of the flag's changes. */
  version: number;
  by: string;
  reason: string;
  /** Whether an automatic step back set it. */
  latched: boolean;
  /** ISO 8601. */
  changedAt: string;
}

/** One way of judging that an experiment compares. */
export interface ExperimentArm {
  name: string;
  /** Changes to the normal settings. `prompts` maps a prompt's name to a version number. */
  settings: Omit<SettingsChange, 'prompts'> & {
    prompts?: Record<string, number>;
    /** Version of a recalibration. */
    recalibration?: number;
    actFrom?: number;
  };
}

/** A running experiment, which takes new cases. */
export interface RunningExperiment {
  id: string;
  name: string;
  playbook: string;
  mode: 'shadow' | 'ab';
  /** The first arm is the control. */
  arms: ExperimentArm[];
  /** From 0 to 1. */
  share: number;
  /** Share of errors at which the new arm steps back, from 0 to 1. */
  limit: number;
  salt: string;
}

/** A recalibration that new runs of a kind may use. */
export interface RolledOutRecalibration extends FrozenRecalibration {
  playbook: string;
  /** Whether its flag is on. If not, only an experiment uses it. */
  inForce: boolean;
}

/** All rolled-out changes, as one read returned them. */
export interface RolloutState {
  prompts: readonly RolledOutPrompt[];
  flags: readonly FlagState[];
  experiments: readonly RunningExperiment[];
  recalibrations: readonly RolledOutRecalibration[];
}
