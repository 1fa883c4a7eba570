import {
  SECRET_SCHEMES,
  z,
  type BoundedRunner,
  type JsonObject,
  type ToolContext,
} from '@casefile/contracts';
import type { AnswerSpec } from '../answer-schema.js';
import { argumentSchema, type ArgumentSpec, type ArgumentValues } from '../arguments.js';

/** How the secret of a data source is sent. */
export type AuthScheme = (typeof SECRET_SCHEMES)[number];

/** The field `auth` of a source that needs no secret. */
export const NO_SECRET = z.array(z.enum(SECRET_SCHEMES)).max(0).default([]);

/** Fields of each request, whatever its protocol. */
export const requestFields = {
  about: z.string().min(10).max(500),
  arguments: z
    .record(z.string().regex(/^[a-z][a-z0-9_]{0,30}$/, 'expected a name such as namespace'), argumentSchema)
    .default({}),
};

/** A request of any protocol. */
export interface RequestSpec {
  about: string;
  arguments: Record<string, ArgumentSpec>;
  answer: AnswerSpec;
}

/** Limits of a data source. */
export interface SourceLimits {
  timeoutMs: number;
  /** Most bytes of an answer. */
  bytes: number;
  /** Most rows or lines of a finding. */
  rows: number;
  perSecond: number;
  concurrency: number;
}

/**
 * A text of a request in which arguments stand as `{name}`. `path`: a part of a path, which is never left out. `text`: an
 * argument without quotes and spaces may be part of a longer text. `bound`: each argument is sent separately.
 */
export interface ArgumentPlace {
  field: string;
  text: string;
  holds: 'path' | 'text' | 'bound';
}

/** A service and its settings. */
export interface Service<S> {
  source: S & { limits: SourceLimits };
  /** Base address. Its host may be private. */
  url: string;
  scheme: AuthScheme;
}

/** One use of a request. */
export interface Ask<R> {
  request: R;
  values: ArgumentValues;
  /** null: the service needs none. */
  secret: string | null;
}

/** Reads an answer in a bounded process. @param rows Most rows. */
export type ReadAnswer = (bytes: Uint8Array, answer: AnswerSpec, rows: number) => Promise<JsonObject>;

/**
 * Sends a request and returns its answer, in the form that the `answer` of the request describes.
 * @param read For an answer that states what is wrong with the request.
 * @throws CasefileError with the reason of the gap.
 */
export type Send<R> = (ask: Ask<R>, read: ReadAnswer, context: ToolContext) => Promise<Uint8Array>;

/** A way to query services. Protocols differ only here: arguments, limits, findings and gaps are common to all. */
export interface Protocol<S = unknown, R = RequestSpec> {
  /** Schemes of base addresses, the usual one first. */
  schemes: readonly string[];
  /** Form of a base address, for errors. */
  address: RegExp;
  example: string;
  /** Fields of the source itself. */
  source: z.ZodRawShape & { auth: z.ZodType<AuthScheme[]> };
  /** A request with the fields of this protocol. */
  request: z.ZodType<R>;
  places(request: R): ArgumentPlace[];
  /**
   * Returns a client of a service. It connects when it is first used.
   * @param runner Unpacks answers in a bounded process.
   */
  client(service: Service<S>, runner: BoundedRunner): Send<R>;
}

/** Checks that the parts of a protocol match; types are erased for the engine. */
export function defineProtocol<S, R>(protocol: Protocol<S, R>): Protocol {
  return protocol as unknown as Protocol;
}
