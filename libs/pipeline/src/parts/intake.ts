import type { AlertInput, FieldProblem, JsonObject, Verdict, z } from '@casefile/contracts';

/** How alerts of a kind are accepted. */
export interface Intake {
  /**
   * Returns how well an alert that names no kind fits this one; null: not at all.
   * @param options Returns the options that a new run would be frozen with.
   */
  claims(alert: AlertInput, options: () => JsonObject): KindClaim | null;
  /** Returns what is wrong with an alert of this kind, next to the rules for every alert. */
  problems(alert: AlertInput): FieldProblem[];
  /** Which alerts are one case. */
  repeats(alert: AlertInput): Repeats;
  /** Ways in, next to the addresses for all kinds. */
  entrances: readonly Entrance[];
  /** Whether secrets are masked in alerts before they are recorded. */
  masksSecrets: boolean;
}

/** Strengths of a claim, the strongest first. Of kinds with the same one the first in order is chosen. */
export const CLAIM_STRENGTHS = ['asks', 'recognises', 'matches', 'resembles'] as const;

/** How well an alert fits a kind. */
export interface KindClaim {
  /**
   * `asks`: it asks for the kind in words reserved for it. `recognises`: its content is of this kind. `matches`: the kind can
   * judge such an alert. `resembles`: a part of its content is of this kind, too little to decide by.
   */
  strength: (typeof CLAIM_STRENGTHS)[number];
  /** A sentence for people. */
  why: string;
}

/** How an alert joins a case. An Idempotency-Key joins alerts of every kind. */
export type Repeats = {
  /** A repeat opens a new run of a decided case after this time. */
  holdOffMs: number;
} & (
  | { by: 'key' }
  | { by: 'content' }
  | {
      by: 'occurrence';
      occurrence: Occurrence;
      /** Runs that the occurrences of one case open within an hour. Further ones are noted on the case. */
      mostRunsPerHour: number;
    }
);

/** One time that the trouble of a case was there. */
export interface Occurrence {
  /** Alerts with the same key are one case. */
  key: string;
  /** ISO 8601, to distinguish this occurrence from the next one. null: the sender does not report it. */
  startedAt: string | null;
  /** The sender reports that it is over. */
  resolved: boolean;
}

/**
 * An intake format, or the preset of a webhook, whose alerts are of this kind if they name none; or an address where payloads
 * are posted.
 */
export type Entrance = { format: string } | { address: AskedAt };

/** An address of the intake for the payloads of one kind. Its clients may wait for the result. */
export interface AskedAt {
  /** Such as `/v1/parcels`. */
  path: string;
  /** In the API document of the intake. */
  summary: string;
  body: z.ZodType;
  example: JsonObject;
  /** What a waiting client is sent of a verdict. */
  answer: z.ZodObject;
  handsOut(verdict: Verdict): JsonObject;
}

/** Claims each alert that fits. @param why A sentence on what fits. */
export function matching(why: string, fits: (alert: AlertInput) => boolean): Intake['claims'] {
  return (alert) => (fits(alert) ? { strength: 'matches', why } : null);
}

/** Claims also the alerts that ask for the kind in words reserved for it. */
export function asking(
  asks: (alert: AlertInput, options: JsonObject) => boolean,
  claims: Intake['claims'],
): Intake['claims'] {
  return (alert, options) =>
    asks(alert, options())
      ? { strength: 'asks', why: 'The text asks for it in words reserved for it.' }
      : claims(alert, options);
}

/** Each alert is a case of its own, unless its sender gives the same Idempotency-Key twice. */
export const neverRepeated: Intake['repeats'] = () => ({ by: 'key', holdOffMs: 0 });

/** Alerts with the same content are one case. */
export function sameContent(holdOffMs: number): Intake['repeats'] {
  return () => ({ by: 'content', holdOffMs });
}

/** Alerts of the same trouble are one case, and each of its occurrences may open a run. */
export function sameTrouble(
  occurrenceOf: (alert: AlertInput) => Occurrence | null,
  mostRunsPerHour: number,
  otherwise: Intake['repeats'],
): Intake['repeats'] {
  return (alert) => {
    const repeats = otherwise(alert);
    const occurrence = occurrenceOf(alert);
    return occurrence === null
      ? repeats
      : { by: 'occurrence', occurrence, mostRunsPerHour, holdOffMs: repeats.holdOffMs };
  };
}

/** The formats whose alerts are of the kind with this intake if they name none. */
export function intakeFormats({ entrances }: Pick<Intake, 'entrances'>): string[] {
  return entrances.flatMap((entrance) => ('format' in entrance ? [entrance.format] : []));
}

/** The addresses where payloads of the kind with this intake are posted. */
export function intakeAddresses({ entrances }: Pick<Intake, 'entrances'>): AskedAt[] {
  return entrances.flatMap((entrance) => ('address' in entrance ? [entrance.address] : []));
}
