import { SPARK_HEIGHT, SPARK_WIDTH, sparkPath } from './spark-path.js';
import './sparkline.css';

/** A line without axes. `label` states in words what it shows. */
export function Sparkline({ label, values }: { label: string; values: readonly (number | null)[] }) {
  return (
    <svg
      className="sparkline"
      viewBox={`0 0 ${SPARK_WIDTH} ${SPARK_HEIGHT}`}
      preserveAspectRatio="none"
      role="img"
      aria-label={label}
    >
      <path d={sparkPath(values)} vectorEffect="non-scaling-stroke" />
    </svg>
  );
}
