/** A bounded set of label values; never an id, never free text. */
export type Labels = Record<string, string>;

/** Measuring, as the executor and adapters see it. Names are those of telemetry's one list. */
export interface Telemetry {
  /** Runs `work` in a span; an exception marks the span and goes on. */
  span<T>(
    name: string,
    attributes: Record<string, string | number | boolean>,
    work: () => Promise<T>,
  ): Promise<T>;
  /** Adds to a counter. */
  count(name: string, labels?: Labels, by?: number): void;
  /** Records a duration in seconds, or another size, in a histogram. */
  measure(name: string, value: number, labels?: Labels): void;
  /** Reports a value that is asked for when metrics are read. Returns the way to take it back. */
  gauge(name: string, read: () => number | Promise<number>, labels?: Labels): () => void;
}

export const noTelemetry: Telemetry = {
  span: (_name, _attributes, work) => work(),
  count: () => undefined,
  measure: () => undefined,
  gauge: () => () => undefined,
};
