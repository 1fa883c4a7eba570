/** Label values from a bounded set: never an id, never free text. */
export type Labels = Record<string, string>;

/** One metric of a playbook. */
export interface Measure {
  /** Name of the metric, from telemetry's list of names. */
  name: string;
  /** A counter adds `value`, a histogram records it. */
  kind: 'counter' | 'histogram';
  value: number;
  labels: Labels;
}

export type Attributes = Record<string, string | number | boolean | string[]>;

/** A running span. Attributes that are known later are added to it. */
export interface OpenSpan {
  set(attributes: Attributes): void;
}

export interface SpanOptions {
  /** `client`: the span covers a call to another system. Default: internal work. */
  kind?: 'client';
  /**
   * The trace of the span, as W3C `traceparent`. If the caller is in another trace (a nudge of the sweeper,
   * or of another queue), the span links to the caller's trace. Default: the caller's trace.
   */
  trace?: string | null;
}

/** Value of a gauge, or one value per set of labels. */
export type Reading = number | readonly { value: number; labels: Labels }[];

/** Metrics and traces, as the executor and the adapters use them. All names are on telemetry's list. */
export interface Telemetry {
  /** Runs `work` in a span. An exception marks the span and is rethrown. */
  span<T>(
    name: string,
    attributes: Attributes,
    work: (span: OpenSpan) => Promise<T>,
    options?: SpanOptions,
  ): Promise<T>;
  /** Returns the caller's position in its trace, as W3C `traceparent`. null: there is no trace. */
  here(): string | null;
  /** Adds to a counter. */
  count(name: string, labels?: Labels, by?: number): void;
  /** Records a duration in seconds, or another size, in a histogram. */
  measure(name: string, value: number, labels?: Labels): void;
  /**
   * Registers a gauge whose value (or one value per set of labels) is computed when metrics are collected.
   * Returns a function that removes it.
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
