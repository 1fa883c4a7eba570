import type { ShownSection } from '@casefile/contracts/display';
import { useMemo } from 'react';
import { LineChart } from '../../ui/line-chart.js';

type ChartSection = Extract<ShownSection, { show: 'chart' }>;

const figure = (value: number): string => value.toLocaleString('en', { maximumFractionDigits: 2 });

/** Numbers over time that a kind declares. */
export default function SectionChart({ section }: { section: ChartSection }) {
  const { title } = section;
  const key = JSON.stringify(section);
  // The page reads the case again while a run is active. An equal chart is not drawn again.
  const { at, lines } = useMemo(() => chartLines(JSON.parse(key) as ChartSection), [key]);
  return <LineChart label={title} at={at} lines={lines} format={figure} />;
}

function chartLines({ names, points }: ChartSection) {
  return {
    at: points.map((point) => point.at),
    lines: names.map((name, i) => ({ name, values: points.map(({ values }) => values[i] ?? null) })),
  };
}
