import type { IncomingHttpHeaders } from 'node:http';
import { CasefileError, type FieldProblem, type Json, type JsonObject, type z } from '@casefile/contracts';
import type { SettingsFile } from '../config/settings-schema.js';

/** A request as its sender made it. */
export interface Post {
  body: unknown;
  /** The bytes of the body, as signatures are made over them. */
  raw: Uint8Array;
  headers: IncomingHttpHeaders;
}

/** What one alert of a post came to: an alert as `POST /v1/alerts` takes it, or what is wrong with it. */
export type ReadAlert =
  | {
      alert: JsonObject;
      /** By which the sender's second try is told from another alert; left out: the sender has none. */
      idempotencyKey?: string;
      /** The part of the post that is signed, if not all of the alert is: it alone tells a repeat. */
      signedPart?: Json;
    }
  | { sent: unknown; problems: FieldProblem[]; signedPart?: Json };

/** How one kind of sender posts its alerts. It names no kind of case: a playbook says which formats it takes. S2-40. */
export interface IntakeFormat {
  /** As playbooks name it in `takes`. */
  name: string;
  path: string;
  /** The `source` of all its alerts; left out: the sender chooses it. With a secret set it is reserved for this address. */
  source?: string;
  /** In the words of the API document. */
  summary: string;
  body: z.ZodType;
  example: JsonObject;
  /** Does each post hold many alerts, so that the bounds of a batch hold? Left out: where its body is an array. */
  isBatch?: true;
  /** How its posts are proved to be its sender's; left out: the sender signs nothing. */
  signature?: {
    /** The setting that has the secret; unset: what is not signed is taken. */
    secret: 'CASEFILE_GRAFANA_SECRET' | 'CASEFILE_WEBHOOK_SECRET';
    /**
     * @param now in milliseconds since the epoch.
     * @throws CasefileError `bad_signature` that says what was expected.
     */
    verify(post: Post, secret: string, now: number): void;
  };
  /**
   * The alerts of a post in their order.
   * @param isSigned The secret is set, and the signature of the post was verified.
   * @throws InvalidInput if the envelope does not fit: the post is then kept whole as a dead letter.
   */
  read(post: Post, settings: SettingsFile['intake'], isSigned: boolean): ReadAlert[];
}

/** How old a signed post may be, and how far ahead its sender's clock, in milliseconds. */
export const REPLAY_WINDOW_MS = 5 * 60_000;

export function badSignature(expected: string): CasefileError {
  return new CasefileError('bad_signature', `Not taken: expected ${expected}.`);
}
