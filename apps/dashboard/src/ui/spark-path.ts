export const SPARK_WIDTH = 100;
export const SPARK_HEIGHT = 28;

/**
 * Returns the path of a line through the values, from 0 to the highest one. A null value is a gap, and a value between
 * two gaps is a dot.
 */
export function sparkPath(values: readonly (number | null)[]): string {
  const most = Math.max(...values.map((value) => value ?? 0), 0) || 1;
  const step = SPARK_WIDTH / Math.max(values.length - 1, 1);
  return values
    .map((value, i) => {
      if (value === null) return '';
      const at = `${round(i * step)} ${round(SPARK_HEIGHT - 1 - (value / most) * (SPARK_HEIGHT - 2))}`;
      const isDown = i > 0 && values[i - 1] !== null;
      const isAlone = !isDown && (values[i + 1] ?? null) === null;
      return isDown ? `L${at}` : `M${at}${isAlone ? 'h0' : ''}`;
    })
    .join('');
}

const round = (n: number): number => Math.round(n * 10) / 10;
