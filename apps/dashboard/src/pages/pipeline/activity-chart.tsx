import { useEffect, useRef } from 'react';
import UPlot from 'uplot';
import 'uplot/dist/uPlot.min.css';
import { ACTIVITIES, activity, type ActivityKind, type ActivitySeries } from '../../live/activity.js';
import { useNow } from '../../shell/now.js';
import { usePreferences } from '../../shell/preferences.js';
import { Dot, type Tone } from '../../ui/badge.js';
import { elementColour } from '../../ui/colour.js';
import { useMedia } from '../../ui/use-media.js';
import { stampText, type Zone } from '../../format/time.js';

const TONES: Record<ActivityKind, Tone> = { verdicts: 'accent', 'model calls': 'violet', failures: 'red' };
const HEIGHT_PX = 168;

/** Verdicts, model calls and failures over the last minutes. */
export default function ActivityChart() {
  const place = useRef<HTMLDivElement>(null);
  const series = activity.series(useNow());
  const { theme, zone } = usePreferences();
  useChart(place, series, `${theme} ${zone}`, zone);
  const total = (kind: ActivityKind): number => series.counts[kind].reduce((sum, n) => sum + n, 0);
  const summary = ACTIVITIES.map((kind) => `${total(kind)} ${kind}`).join(', ');
  return (
    <figure>
      <div ref={place} className="chart" role="img" aria-label={`In the last six minutes: ${summary}`} />
      <figcaption className="chart-legend">
        {ACTIVITIES.map((kind) => (
          <span key={kind}>
            <Dot tone={TONES[kind]} /> {kind} <strong className="num">{total(kind)}</strong>
          </span>
        ))}
      </figcaption>
    </figure>
  );
}

function useChart(
  place: { current: HTMLDivElement | null },
  series: ActivitySeries,
  look: string,
  zone: Zone,
): void {
  const chart = useRef<UPlot | null>(null);
  const isDark = useMedia('(prefers-color-scheme: dark)');
  // The canvas has fixed colours, so another theme needs a new chart.
  useEffect(() => {
    const element = place.current;
    if (element === null) return;
    const plot = new UPlot(optionsFor(element, zone), [[], [], [], []], element);
    chart.current = plot;
    const resized = new ResizeObserver(() => plot.setSize({ width: element.clientWidth, height: HEIGHT_PX }));
    resized.observe(element);
    return () => {
      resized.disconnect();
      plot.destroy();
      chart.current = null;
    };
  }, [place, look, isDark, zone]);
  useEffect(() => {
    chart.current?.setData([series.at, ...ACTIVITIES.map((kind) => series.counts[kind])]);
  });
}

function optionsFor(element: HTMLElement, zone: Zone): UPlot.Options {
  const ink = elementColour(element, '--ink-3');
  const line = elementColour(element, '--line');
  const axis = {
    stroke: ink,
    font: '11px system-ui, sans-serif',
    grid: { stroke: line, width: 1 },
    ticks: { show: false },
  };
  return {
    width: element.clientWidth,
    height: HEIGHT_PX,
    legend: { show: false },
    cursor: { show: false },
    padding: [8, 8, 0, 0],
    scales: { y: { range: (_chart, _min, max) => [0, Math.max(max, 4)] } },
    axes: [
      {
        ...axis,
        grid: { show: false },
        size: 24,
        space: 70,
        values: (_chart, splits) =>
          splits.map((at) => stampText(new Date(at * 1_000).toISOString(), zone).slice(11, 19)),
      },
      {
        ...axis,
        size: 32,
        values: (_chart, splits) => splits.map((n) => (Number.isInteger(n) ? String(n) : '')),
      },
    ],
    series: [
      {},
      ...ACTIVITIES.map((kind, index) => ({
        label: kind,
        stroke: elementColour(element, MARKS[kind]),
        width: 1.5,
        points: { show: false },
        fill: index === 0 ? elementColour(element, '--accent-ground') : undefined,
        paths: UPlot.paths.stepped?.({ align: 1 }),
      })),
    ],
  };
}

const MARKS: Record<ActivityKind, string> = {
  verdicts: '--accent',
  'model calls': '--violet-mark',
  failures: '--red-mark',
};
