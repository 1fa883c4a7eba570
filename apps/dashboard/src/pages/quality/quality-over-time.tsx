import type { Quality } from '@casefile/contracts';
import { useMemo } from 'react';
import { moneyText, percentText } from '../../format/numbers.js';
import { durationText } from '../../format/time.js';
import { LineChart } from '../../ui/line-chart.js';
import { qualityLines } from './quality-lines.js';

/** Charts over time of all shown kinds: shares, cost and time to a verdict. */
export function QualityOverTime({ quality }: { quality: Quality }) {
  const { step } = quality;
  const { at, sharesAt, shares, cost, time } = useMemo(() => qualityLines(quality), [quality]);
  if (at.length < 2)
    return <p className="quiet">Charts over time appear with the second {step} that has verdicts.</p>;
  return (
    <div className="quality-charts">
      <section className="panel quality-part" aria-label="Shares over time">
        <h2>Shares</h2>
        <LineChart
          label={`Shares of verdicts per ${step}`}
          at={sharesAt}
          lines={shares}
          format={percentText}
          most={1}
        />
      </section>
      <section className="panel quality-part" aria-label="Cost over time">
        <h2>Cost per verdict</h2>
        <LineChart label={`Cost per verdict per ${step}`} at={at} lines={cost} format={moneyText} />
      </section>
      <section className="panel quality-part" aria-label="Duration over time">
        <h2>Time to a verdict</h2>
        <LineChart label={`Time to a verdict per ${step}`} at={at} lines={time} format={durationText} />
      </section>
    </div>
  );
}
