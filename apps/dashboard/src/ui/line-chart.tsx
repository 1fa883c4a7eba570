import { useEffect, useRef } from 'react';
import UPlot from 'uplot';
import 'uplot/dist/uPlot.min.css';
import { usePreferences } from '../shell/preferences.js';
import { clockText, stampText } from '../format/time.js';
import { Dot, type Tone } from './badge.js';
import { elementColour } from './colour.js';
import { useMedia } from './use-media.js';
import './line-chart.css';

const HEIGHT_PX = 168;
const DAY_S = 86_400;
/** Steps between the marks of an axis of counts: 1, 2, 5, 10, 20, 50 and so on. */
const COUNT_STEPS = Array.from({ length: 10 }, (_, i) => [1, 2, 5].map((step) => step * 10 ** i)).flat();

/** Tones of lines, in the order of the lines. */
const TONES = ['accent', 'violet', 'red', 'green', 'amber'] as const satisfies readonly Tone[];
const INKS = ['--accent', '--violet-mark', '--red-mark', '--green-mark', '--amber-mark'];

export interface Line {
  name: string;
  /** One value per time; null: no value, shown as a gap. */
  values: readonly (number | null)[];
}

interface LineChartProps {
  /** Content of the chart in words, for screen readers. */
  label: string;
  /** Times in seconds since 1970, ascending. */
  at: readonly number[];
  lines: readonly Line[];
  /** Formats a value on the axis. */
  format(value: number): string;
  /** Highest value of the axis. Default: the highest value of the lines. */
  most?: number;
  /** Whether the values are counts, so that the axis has no fractions. Default: false. */
  isCount?: boolean;
}

/** Lines over time, with a legend. */
export function LineChart({ label, at, lines, format, most, isCount = false }: LineChartProps) {
  const place = useRef<HTMLDivElement>(null);
  const { theme, zone } = usePreferences();
  const isDark = useMedia('(prefers-color-scheme: dark)');
  useEffect(() => {
    const element = place.current;
    if (element === null) return;
    const ink = (name: string) => elementColour(element, name);
    const axis = {
      stroke: ink('--ink-3'),
      font: '11px system-ui, sans-serif',
      grid: { stroke: ink('--line'), width: 1 },
      ticks: { show: false },
    };
    const isLong = (at.at(-1) ?? 0) - (at[0] ?? 0) > 2 * DAY_S;
    const timeText = (seconds: number) => {
      const iso = new Date(seconds * 1_000).toISOString();
      return isLong ? stampText(iso, zone).slice(5, 10) : clockText(iso, zone).slice(0, 5);
    };
    const chart = new UPlot(
      {
        width: element.clientWidth,
        height: HEIGHT_PX,
        legend: { show: false },
        cursor: { show: false },
        padding: [8, 8, 0, 0],
        scales: { y: { range: (_chart, min, max) => [Math.min(0, min), most ?? Math.max(max, 1e-9)] } },
        axes: [
          {
            ...axis,
            grid: { show: false },
            size: 24,
            space: 70,
            values: (_chart, splits) => splits.map(timeText),
          },
          {
            ...axis,
            size: 48,
            values: (_chart, splits) => splits.map(format),
            ...(isCount && { incrs: COUNT_STEPS }),
          },
        ],
        series: [
          {},
          ...lines.map(({ name }, i) => ({
            label: name,
            stroke: ink(INKS[i % INKS.length] ?? '--accent'),
            width: 1.5,
            points: { show: true, size: 5 },
          })),
        ],
      },
      [[...at], ...lines.map(({ values }) => [...values])],
      element,
    );
    const resized = new ResizeObserver(() =>
      chart.setSize({ width: element.clientWidth, height: HEIGHT_PX }),
    );
    resized.observe(element);
    return () => {
      resized.disconnect();
      chart.destroy();
    };
  }, [at, lines, format, most, isCount, theme, isDark, zone]);
  return (
    <figure>
      <div ref={place} className="line-chart" role="img" aria-label={label} />
      <figcaption className="line-chart-legend">
        {lines.map(({ name }, i) => (
          <span key={name}>
            <Dot tone={TONES[i % TONES.length] ?? 'accent'} /> {name}
          </span>
        ))}
      </figcaption>
    </figure>
  );
}
