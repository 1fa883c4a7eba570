import type { AlertInput, FieldProblem, JsonObject, Verdict, z } from '@casefile/contracts';

/** How alerts of a kind are accepted. */
export interface Intake {
  /**
   * Whether an alert that names no kind is of this one: `asks` if it asks for this kind in words reserved for it, which comes
   * before `matches` of any kind.
   * @param options Returns the options that a new run would be frozen with.
   */
  claims(alert: AlertInput, options: () => JsonObject): 'asks' | 'matches' | null;
  /** Returns what is wrong with an alert of this kind, next to the rules for every alert. */
  problems(alert: AlertInput): FieldProblem[];
  /** Which alerts are one case. */
  repeats(alert: AlertInput): Repeats;
  /** Ways in, next to the addresses for all kinds. */
  entrances: readonly Entrance[];
  /** Whether secrets are masked in alerts before they are recorded. */
  masksSecrets: boolean;
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

/** Claims each alert that fits. */
export function matching(fits: (alert: AlertInput) => boolean): Intake['claims'] {
  return (alert) => (fits(alert) ? 'matches' : null);
}

/** Claims also the alerts that ask for the kind in words reserved for it. */
export function asking(
  asks: (alert: AlertInput, options: JsonObject) => boolean,
  claims: Intake['claims'],
): Intake['claims'] {
  return (alert, options) => (asks(alert, options()) ? 'asks' : claims(alert, options));
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
export function formatsOf({ entrances }: Pick<Intake, 'entrances'>): string[] {
  return entrances.flatMap((entrance) => ('format' in entrance ? [entrance.format] : []));
}

/** The addresses where payloads of the kind with this intake are posted. */
export function addressesOf({ entrances }: Pick<Intake, 'entrances'>): AskedAt[] {
  return entrances.flatMap((entrance) => ('address' in entrance ? [entrance.address] : []));
}
