import type { AlertSender } from '../access/alert-sender.js';
import type { IncomingHttpHeaders } from 'node:http';
import {
  CasefileError,
  type ChosenBy,
  type FieldProblem,
  type Json,
  type JsonObject,
  type z,
} from '@casefile/contracts';
import type { SettingsFile } from '../config/settings-schema.js';

/** A request as received. */
export interface Post {
  body: unknown;
  /** Bytes of the body, for verifying signatures. */
  raw: Uint8Array;
  headers: IncomingHttpHeaders;
  /** Proven sender of the post. Default: it proved nothing, or by a signature alone. */
  sender?: AlertSender;
}

/** Result of reading one alert of a post: an alert in the form of `POST /v1/alerts`, or its problems. */
export type ReadAlert =
  | {
      alert: JsonObject;
      /** Identifies a repeated post of the same alert. Default: the sender has no such key. */
      idempotencyKey?: string;
      /** Reason for the alert's kind, if its sender did not name the kind. */
      chosenBy?: ChosenBy;
      /**
       * The signed part of the post, if only a part is signed. A repeat is then identified by this part
       * alone.
       */
      signedPart?: Json;
    }
  | { sent: unknown; problems: FieldProblem[]; signedPart?: Json };

/** Format in which one kind of sender posts its alerts. */
export interface IntakeFormat {
  /** Name for playbooks to use in `intake.entrances`. */
  name: string;
  path: string;
  /**
   * The `source` of all its alerts. Default: the sender chooses it. If a secret is set, only this URL may use
   * the source.
   */
  source?: string;
  /**
   * Whether each post has several alerts, so that the limits of a batch apply. Default: if its body is an
   * array.
   */
  isBatch?: true;
  /** Whether posts may declare their JSON as plain text. Default: false. */
  takesPlainText?: true;
  /** Verifies that posts come from the sender. Default: the sender signs nothing. */
  signature?: {
    /**
     * Variable with the secret. If the variable is unset, unsigned posts are accepted. Default: the settings
     * of the webhook name it.
     */
    secret?: 'CASEFILE_GRAFANA_SECRET' | 'CASEFILE_WEBHOOK_SECRET';
    /**
     * @param now in milliseconds since the epoch.
     * @throws CasefileError `bad_signature` that states what was expected.
     */
    verify(post: Post, secret: string, now: number): void;
  };
  /**
   * Returns the alerts of a post in their order.
   * @param isSigned Whether the secret is set and the signature of the post was verified.
   * @throws InvalidInput if the envelope is wrong. The whole post is then stored as a dead letter.
   */
  read(post: Post, settings: SettingsFile['intake'], isSigned: boolean): ReadAlert[];
}

/**
 * A format that every installation has. It names no kind of case, because a playbook declares the formats it
 * accepts.
 */
export interface ShippedFormat extends IntakeFormat {
  /** Summary for the API document. */
  summary: string;
  body: z.ZodType;
  example: JsonObject;
}

/** Maximum age of a signed post, and maximum lead of its sender's clock, in milliseconds. */
export const REPLAY_WINDOW_MS = 5 * 60_000;

/** Error of a post whose proof is wrong. */
export class BadSignature extends CasefileError {
  constructor(
    expected: string,
    /** HTTP authentication scheme that the sender must use (RFC 9110, 11.6.1), if any. */
    readonly challenge?: string,
  ) {
    super('bad_signature', `Not taken: expected ${expected}.`);
  }
}
