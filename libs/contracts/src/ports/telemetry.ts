/** A bounded set of label values; never an id, never free text. */
export type Labels = Record<string, string>;

/** One figure that a kind of case is watched by. */
export interface Measure {
  /** As it is emitted: one of telemetry's list of names. */
  name: string;
  /** A counter is added to by `value`, a histogram records it. */
  kind: 'counter' | 'histogram';
  value: number;
  labels: Labels;
}

export type Attributes = Record<string, string | number | boolean | string[]>;

/** A span that is under way: what is known only later is added to it. */
export interface OpenSpan {
  set(attributes: Attributes): void;
}

export interface SpanOptions {
  /** `client`: it covers a call of another system. Left out: work of our own. */
  kind?: 'client';
  /**
   * The trace it belongs to, as W3C `traceparent`. When the caller is in another one (a nudge of the sweeper, or of
   * another queue) the span goes into this one and links to the caller's. null or left out: the caller's.
   */
  trace?: string | null;
}

/** What a gauge shows: a value, or one for each of several labels. */
export type Reading = number | readonly { value: number; labels: Labels }[];

/** Measuring, as the executor and adapters see it. Names are those of telemetry's one list. */
export interface Telemetry {
  /** Runs `work` in a span; an exception marks the span and goes on. */
  span<T>(
    name: string,
    attributes: Attributes,
    work: (span: OpenSpan) => Promise<T>,
    options?: SpanOptions,
  ): Promise<T>;
  /** Where the caller is in its trace, as W3C `traceparent`; null: in none. */
  here(): string | null;
  /** Adds to a counter. */
  count(name: string, labels?: Labels, by?: number): void;
  /** Records a duration in seconds, or another size, in a histogram. */
  measure(name: string, value: number, labels?: Labels): void;
  /**
   * Reports a value, or one for each of several labels, that is read when metrics are read. Returns a function that removes it.
   */
  gauge(name: string, read: () => Reading | Promise<Reading>, labels?: Labels): () => void;
}

export const noTelemetry: Telemetry = {
  span: (_name, _attributes, work) => work({ set: () => undefined }),
  here: () => null,
  count: () => undefined,
  measure: () => undefined,
  gauge: () => () => undefined,
};
