import type { Ladder, Scale } from '@casefile/contracts';
import { cx } from '../../ui/cx.js';
import { bandOf } from './scales.js';

const WIDTH = 300;
const HEIGHT = 10;

/** A figure on its scale, with the bounds that it is held against. */
export function ScaleBar({ scale }: { scale: Scale }) {
  const { name, value, max, bands, text } = scale;
  const x = (at: number): number => (Math.min(at, max) / max) * WIDTH;
  const band = bandOf(scale);
  return (
    <figure className="scale">
      <figcaption>
        <span>{name}</span>
        <span className="num">
          <strong>{text}</strong>
          {band !== null && band !== '' && <span className="quiet"> · {band}</span>}
        </span>
      </figcaption>
      <svg viewBox={`0 0 ${WIDTH} ${HEIGHT}`} preserveAspectRatio="none" aria-hidden="true">
        <rect className="scale-ground" width={WIDTH} height={HEIGHT} rx={3} />
        <rect className="scale-value" width={Math.max(x(value), 2)} height={HEIGHT} rx={3} />
        {bands.slice(1).map(({ from }) => (
          <rect key={from} className="scale-bound" x={x(from) - 1} width={2} height={HEIGHT} />
        ))}
      </svg>
      {bands.length > 1 && (
        <ol className="scale-bands">
          {bands.slice(1).map(({ from, label }) => (
            <li key={from} className="num">
              {label} from {max === 1 ? `${Math.round(from * 100)} %` : from}
            </li>
          ))}
        </ol>
      )}
    </figure>
  );
}

/** The steps of a policy, the one that was taken marked. */
export function LadderBar({ ladder }: { ladder: Ladder }) {
  return (
    <figure className="scale">
      <figcaption>{ladder.name}</figcaption>
      <ol className="ladder">
        {ladder.steps.map(({ label, leadsTo, isTaken }) => (
          <li
            key={label}
            className={cx(isTaken && 'ladder-taken')}
            aria-current={isTaken ? 'step' : undefined}
          >
            <strong>{label}</strong>
            <span>{leadsTo}</span>
          </li>
        ))}
      </ol>
    </figure>
  );
}
