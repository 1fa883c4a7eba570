import type { AlertInput, FieldProblem, Grade, JsonObject, Verdict, z } from '@casefile/contracts';

/** Rules by which a kind accepts alerts. */
export interface Intake {
  /**
   * Returns how well an alert that names no kind fits this one; null: not at all.
   * @param options Returns the options that a new run would be frozen with.
   */
  claims(alert: AlertInput, options: () => JsonObject): KindClaim | null;
  /** Returns the problems of an alert of this kind, in addition to the rules for every alert. */
  problems(alert: AlertInput): FieldProblem[];
  /** Returns which alerts belong to one case. */
  repeats(alert: AlertInput): Repeats;
  /** Formats and endpoints of this kind, in addition to those for all kinds. */
  entrances: readonly Entrance[];
}

/**
 * Strengths of a claim, the strongest first. Among kinds with the same strength, the first in order is
 * chosen.
 */
export const CLAIM_STRENGTHS = ['asks', 'recognises', 'matches', 'resembles'] as const;

/** Strength with which a kind claims an alert. */
export interface KindClaim {
  /**
   * `asks`: the alert requests the kind in words reserved for it. `recognises`: its content is of this kind.
   * `matches`: the kind can judge such an alert. `resembles`: only a part of its content is of this kind,
   * which is not enough to decide.
   */
  strength: (typeof CLAIM_STRENGTHS)[number];
  /** A sentence for people. */
  why: string;
}

/** Rule by which an alert joins a case. For every kind, alerts with the same Idempotency-Key join. */
export type Repeats = {
  /** Time after which a repeat opens a new run of a decided case, in milliseconds. */
  holdOffMs: number;
} & (
  | { by: 'key' }
  | { by: 'content' }
  | {
      by: 'occurrence';
      occurrence: Occurrence;
      /**
       * Maximum number of runs that the occurrences of one case open within an hour. Further occurrences are
       * only noted on the case.
       */
      mostRunsPerHour: number;
    }
);

/** One period in which the alert of a case fired. */
export interface Occurrence {
  /** Alerts with the same key are one case. */
  key: string;
  /** ISO 8601, to distinguish this occurrence from the next one. null: the sender does not report it. */
  startedAt: string | null;
  /** Whether the sender reports that the alert is resolved. */
  resolved: boolean;
  /** Whether the message reports an act of a person, such as a note. Default: false. */
  remark?: boolean;
  /**
   * Whether the alert joins a known case without effect, because its words say that it is over and no field does.
   * Default: false.
   */
  joinsOnly?: boolean;
  /** How grave the sender reports the alert to be. A rise is judged again. Default: it does not report it. */
  grade?: Grade;
  /** Parts of the alert that make the key, in words for people. Default: not shown. */
  joinedBy?: string;
  /** Facts by which it is compared with alerts of other cases. Default: it is compared with none. */
  related?: RelatedBy;
}

/** Facts of an alert by which alerts of one cause are found. */
export interface RelatedBy {
  /** Group in which its sender sent it. null: none, or one that says nothing about the cause. */
  group: string | null;
  /** Name of the alert rule. */
  name: string;
  labels: Readonly<Record<string, string>>;
}

/**
 * How alerts of this kind arrive: in an intake format or by the preset of a webhook, if they name no kind, or
 * at an endpoint for payloads.
 */
export type Entrance = { format: string } | { address: AskedAt };

/** An HTTP endpoint of the intake for the payloads of one kind. Its clients may wait for the result. */
export interface AskedAt {
  /** Path of the endpoint, such as `/v1/parcels`. */
  path: string;
  /** Summary of the endpoint in the API document of the intake. */
  summary: string;
  body: z.ZodType;
  example: JsonObject;
  /** Part of a verdict that a waiting client receives. */
  answer: z.ZodObject;
  handsOut(verdict: Verdict): JsonObject;
}

/** Returns a function that claims each alert for which `fits` returns true. @param why reason for people, a sentence */
export function matching(why: string, fits: (alert: AlertInput) => boolean): Intake['claims'] {
  return (alert) => (fits(alert) ? { strength: 'matches', why } : null);
}

/** Also claims alerts that request the kind in words reserved for it. */
export function asking(
  asks: (alert: AlertInput, options: JsonObject) => boolean,
  claims: Intake['claims'],
): Intake['claims'] {
  return (alert, options) =>
    asks(alert, options())
      ? { strength: 'asks', why: 'The text asks for it in words reserved for it.' }
      : claims(alert, options);
}

/** Each alert is a separate case, unless its sender repeats an Idempotency-Key. */
export const neverRepeated: Intake['repeats'] = () => ({ by: 'key', holdOffMs: 0 });

/**
 * Joins alerts with the same content to one case.
 * @param holdOffMs time in which a repeat gets the verdict of the case instead of a new run
 */
export function sameContent(holdOffMs: number): Intake['repeats'] {
  return () => ({ by: 'content', holdOffMs });
}

/** Alerts of the same problem are one case, and each occurrence of the problem may open a run. */
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

/** Returns the formats whose alerts are of the kind with this intake if they name none. */
export function intakeFormats({ entrances }: Pick<Intake, 'entrances'>): string[] {
  return entrances.flatMap((entrance) => ('format' in entrance ? [entrance.format] : []));
}

/** Returns the endpoints at which payloads of the kind with this intake are posted. */
export function intakeAddresses({ entrances }: Pick<Intake, 'entrances'>): AskedAt[] {
  return entrances.flatMap((entrance) => ('address' in entrance ? [entrance.address] : []));
}
