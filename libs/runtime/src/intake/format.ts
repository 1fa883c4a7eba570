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

/** How one kind of sender posts its alerts. */
export interface IntakeFormat {
  /** As playbooks name it in `intake.entrances`. */
  name: string;
  path: string;
  /** The `source` of all its alerts; left out: the sender chooses it. With a secret set it is reserved for this address. */
  source?: string;
  /** Does each post hold many alerts, so that the bounds of a batch hold? Left out: where its body is an array. */
  isBatch?: true;
  /** Are posts taken that call their JSON plain text? Left out: no. */
  takesPlainText?: true;
  /** How its posts are proved to be its sender's; left out: the sender signs nothing. */
  signature?: {
    /** The variable that has the secret; unset: what is not signed is taken. Left out: the settings of the webhook name it. */
    secret?: 'CASEFILE_GRAFANA_SECRET' | 'CASEFILE_WEBHOOK_SECRET';
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

/** A format that every installation has. It names no kind of case: a playbook declares which formats it takes. */
export interface ShippedFormat extends IntakeFormat {
  /** In the words of the API document. */
  summary: string;
  body: z.ZodType;
  example: JsonObject;
}

/** How old a signed post may be, and how far ahead its sender's clock, in milliseconds. */
export const REPLAY_WINDOW_MS = 5 * 60_000;

/** A post whose proof is wrong. */
export class BadSignature extends CasefileError {
  constructor(
    expected: string,
    /** The scheme by which the sender has to authenticate (RFC 9110, 11.6.1), if it is one of HTTP. */
    readonly challenge?: string,
  ) {
    super('bad_signature', `Not taken: expected ${expected}.`);
  }
}
