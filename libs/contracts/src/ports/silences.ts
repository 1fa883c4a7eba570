import type { AlertInput } from '../artifacts/index.js';
import type { ShownSilence, SILENCE_SOURCES, SilenceState } from '../ops-api-silences.js';
import type { SilenceMatcher } from '../silence-matchers.js';
import type { Act } from '../act.js';

/** A silence that matches alerts now. */
export interface Silence {
  id: string;
  matchers: readonly SilenceMatcher[];
}

/** A silence to create, or one of another system. Times are ISO 8601. */
export interface NewSilence extends Silence {
  startsAt: string;
  endsAt: string;
  reason: string;
  author: string;
}

/** A silence of another system. `problem`: why it does not apply here; null: it applies. */
export interface ForeignSilence extends NewSilence {
  problem: string | null;
}

/** Fields of the alert of a run, which matchers compare. */
export interface AlertFields {
  runId: string;
  fields: Readonly<Record<string, string>>;
}

/** A verdict that no destination gets, because of a silence. */
export interface WithheldVerdict {
  runId: string;
  caseId: string;
  silenceId: string;
  /** Id of the verdict on the queue. */
  deliveryId: string;
  /** Whether a destination would have got it with the severity `critical`. */
  isCritical: boolean;
}

/** A withheld verdict whose silence is over, and the state of its case. */
export interface UnsilencedVerdict {
  runId: string;
  caseId: string;
  playbook: string;
  alert: AlertInput;
  /** Whether the case shows the run, and no content of the case was erased. */
  leads: boolean;
  isOver: boolean;
  isAnswered: boolean;
  /** Whether its run judged an escalation. The next run judges the same alert. */
  isEscalation: boolean;
  /** Whether the silence ended so long ago that nothing follows any more. */
  isOld: boolean;
}

/** Silences, and what they withheld. `now`: milliseconds since the epoch, of the clock of the process. */
export interface Silences {
  /** Creates a silence. A repeated act changes nothing. @throws CasefileError `conflict`: the id belongs to another act. */
  create(silence: NewSilence, act: Act): Promise<void>;
  /** Ends a silence of Casefile that is not over. @returns false: there is none with this id. */
  end(id: string, act: Act, now: number): Promise<boolean>;
  get(id: string, now: number): Promise<ShownSilence | null>;
  /** Returns silences: those in force first, then planned ones, then at most 100 that are over. */
  list(state: SilenceState | null, now: number): Promise<ShownSilence[]>;
  /** Returns the silences in force that apply. */
  inForce(now: number): Promise<Silence[]>;
  /** Returns the fields of the alerts of runs. */
  fields(runIds: readonly string[]): Promise<AlertFields[]>;
  /**
   * Records verdicts that no destination gets. One whose delivery was written before the silence is left out, because
   * receivers have it or will have it.
   */
  withhold(verdicts: readonly WithheldVerdict[], now: number): Promise<void>;
  /**
   * Returns withheld verdicts whose silences are over and that were not settled, oldest first. Those of a case that ended
   * or was answered are left out for seven days, and those of other kinds than `playbooks` for the processes that know them.
   */
  over(now: number, limit: number, playbooks: readonly string[]): Promise<UnsilencedVerdict[]>;
  /** Settles withheld verdicts: their case was judged again, or need not be. */
  settle(runIds: readonly string[], now: number): Promise<void>;
  /** Another silence that is in force withholds these verdicts from now on. */
  move(moves: readonly { runId: string; silenceId: string }[]): Promise<void>;
  /** Replaces the silences of another system. One that is missing is over. */
  replace(
    source: Exclude<(typeof SILENCE_SOURCES)[number], 'casefile'>,
    silences: readonly ForeignSilence[],
    now: number,
  ): Promise<void>;
}
