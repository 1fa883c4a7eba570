import type { ShownCalibration } from '@casefile/contracts';
import { countOf, percentText } from '../../format/numbers.js';
import { visible } from '../../format/visible.js';

/** Number of labels from which a calibration is shown. With fewer, the API leaves the bins out. */
const LEAST_LABELS = 100;
const SIZE = 220;
const STATED_BY: Record<string, string> = { llm: 'the model', heuristic: 'rules', critic: 'the critic' };

/** Shows how well the confidence of each source agrees with people's labels. Sources are never mixed. */
export function Calibrations({ all }: { all: readonly ShownCalibration[] }) {
  if (all.length === 0)
    return (
      <p className="quiet">
        No verdict of this time has a label, so the stated confidence cannot be checked.{' '}
        <a href="/docs/use/quality">How labels arise</a>
      </p>
    );
  return (
    <div className="quality-calibrations">
      {all.map((one) => (
        <CalibrationPanel
          key={JSON.stringify([
            one.playbook,
            one.strategy,
            one.prompts,
            one.model,
            one.language,
            one.confidenceSource,
            one.recalibration,
          ])}
          calibration={one}
        />
      ))}
    </div>
  );
}

function sourceText(one: ShownCalibration): string {
  const { playbook, strategy, model, language, confidenceSource, recalibration } = one;
  const statedBy = STATED_BY[confidenceSource] ?? confidenceSource;
  return [
    playbook,
    strategy,
    ...(model === null ? [] : [visible(model)]),
    ...(language === null ? [] : [`language ${visible(language)}`]),
    `confidence by ${recalibration === null ? statedBy : `recalibration ${recalibration}`}`,
  ].join(', ');
}

function CalibrationPanel({ calibration }: { calibration: ShownCalibration }) {
  const { labels, error, brier, bins, actFrom, acting, age, drift } = calibration;
  const source = sourceText(calibration);
  return (
    <section className="panel quality-part" aria-label={`Calibration of ${source}`}>
      <h2>Calibration</h2>
      <p className="quiet">{source}</p>
      {error === null ? (
        <p>
          Not enough: {countOf(labels, 'label')}, {LEAST_LABELS - labels} more are needed.
        </p>
      ) : (
        <>
          <Diagram bins={bins} source={source} />
          <dl className="quality-facts">
            <dt>Calibration error</dt>
            <dd>
              {error.value.toFixed(3)} ({error.low.toFixed(3)} to {error.high.toFixed(3)}),{' '}
              {countOf(labels, 'label')}
            </dd>
            {brier !== null && (
              <>
                <dt>Brier score</dt>
                <dd>
                  {brier.score.toFixed(3)} = {brier.miscalibration.toFixed(3)} miscalibration −{' '}
                  {brier.discrimination.toFixed(3)} discrimination + {brier.uncertainty.toFixed(3)}{' '}
                  uncertainty
                </dd>
              </>
            )}
            <dt>At most 5 % wrong</dt>
            <dd>
              {actFrom === null
                ? 'the labels have no such confidence'
                : `from a confidence of ${percentText(actFrom)}`}
              {acting !== null &&
                `; expected recall ${percentText(acting.recall)}, review load ${percentText(acting.reviewLoad)}`}
            </dd>
            {age !== null && (
              <>
                <dt>Age of the labels</dt>
                <dd>
                  {[age.oldest, age.median, age.newest].map((at) => at.slice(0, 10)).join(', ')} (oldest,
                  median, newest){age.isCurrent ? '' : '; of earlier settings'}
                </dd>
              </>
            )}
            {drift !== null && (
              <>
                <dt>Drift</dt>
                <dd>
                  right in the older half {percentText(drift.older.share ?? 0)}, in the newer half{' '}
                  {percentText(drift.newer.share ?? 0)}
                  {drift.isDrift ? ': the labels drift' : ': no drift found'}
                </dd>
              </>
            )}
          </dl>
        </>
      )}
    </section>
  );
}

/** Reliability diagram: share that was right over stated confidence, with 95 % intervals; the diagonal is ideal. */
function Diagram({ bins, source }: { bins: ShownCalibration['bins']; source: string }) {
  const x = (share: number) => share * SIZE;
  const y = (share: number) => SIZE - share * SIZE;
  const description = bins
    .map(
      ({ stated, observed, labels }) =>
        `stated ${percentText(stated)}, right ${percentText(observed)} of ${labels}`,
    )
    .join('; ');
  return (
    <svg
      className="quality-diagram"
      viewBox={`-2 -2 ${SIZE + 4} ${SIZE + 4}`}
      role="img"
      aria-label={`${source}: ${description}`}
    >
      <rect className="frame" width={SIZE} height={SIZE} />
      <line className="ideal" x1={0} y1={SIZE} x2={SIZE} y2={0} />
      {bins.map(({ stated, observed, low, high }, i) => (
        <g key={i}>
          <line className="interval" x1={x(stated)} x2={x(stated)} y1={y(low)} y2={y(high)} />
          <circle className="observed" cx={x(stated)} cy={y(observed)} r={4} />
        </g>
      ))}
    </svg>
  );
}
