/** One value of a series, as a finding of a data source states it. */
export interface Sample {
  /** Milliseconds since the epoch. */
  at: number;
  /** Name and labels. */
  series: string;
  /** NaN: the service reports no finite number. */
  value: number;
  /** The whole line. */
  line: string;
}

/** Time, series and value of a finding. */
const LINE = /^(\d{4}-\d{2}-\d{2}T[\d:.]{5,15}Z) (.{0,900}?) ?= (-?[\w.+-]{1,40})(?: |$)/;
const MOST_TEXT = 1_000_000;
const MOST_LINES = 10_000;

/** Returns the values in the text of a look-up, in their order. Lines of another form are left out. */
export function samplesIn(text: string): Sample[] {
  return text
    .slice(0, MOST_TEXT)
    .split('\n', MOST_LINES)
    .flatMap((line): Sample[] => {
      const [, time = '', series = '', value = ''] = LINE.exec(line) ?? [];
      const at = Date.parse(time);
      return Number.isNaN(at) ? [] : [{ at, series, value: Number(value), line }];
    });
}

const MOST_SERIES = 50;

/** Returns the values of each series of a look-up, at most 50 series. */
export function seriesIn(text: string): Sample[][] {
  const series = new Map<string, Sample[]>();
  for (const sample of samplesIn(text)) {
    const own = series.get(sample.series);
    if (own !== undefined) own.push(sample);
    else if (series.size < MOST_SERIES) series.set(sample.series, [sample]);
  }
  return [...series.values()];
}
