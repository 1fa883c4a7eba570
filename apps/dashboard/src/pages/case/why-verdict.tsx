import { rich, t } from '../../strings/text.js';
import type { Ladder, Presentation, Scale, ShownCorrection, ShownRun, Verdict } from '@casefile/contracts';
import { Scale as ScaleIcon } from 'lucide-react';
import { Link } from 'wouter';
import { visible } from '../../format/visible.js';
import { inWords } from '../../format/words.js';
import { Anchored } from '../../ui/anchored.js';
import { Badge } from '../../ui/badge.js';
import { CitedText } from '../../ui/cited-text.js';
import { cx } from '../../ui/cx.js';
import { DegradedBadge } from '../../ui/degraded-badge.js';
import { GlossaryWord } from '../../ui/glossary-word.js';
import { MethodBadge } from '../../ui/method-badge.js';
import { Stamp } from '../../ui/stamp.js';
import { toneOfDisposition } from '../../ui/verdict-badge.js';
import { NeedsReviewer, useIsWithheld } from '../../ui/withheld.js';
import { shownRunView } from '../kinds/index.js';
import { Citations } from './citations.js';
import { evidenceLinks } from './evidence-places.js';
import { waitingText, waitsForPerson } from './run-trouble.js';

interface WhyVerdictProps {
  run: ShownRun;
  /** Answer of a person that replaces the verdict of the run; null: none. */
  correction: ShownCorrection | null;
}

/** The verdict in words, who decided it, and why: figures and their limits, reasons in words, and the evidence. */
export function WhyVerdict({ run, correction }: WhyVerdictProps) {
  const { verdict, presentation } = run;
  const isWithheld = useIsWithheld('personal');
  if (verdict === null) return <NotYet run={run} />;
  const { word, answer, summary, ladder, scales, facts, rule } = presentation ?? plain(verdict);
  const { Why } = shownRunView(run);
  const links = evidenceLinks(run, '');
  const disposition = correction?.disposition ?? verdict.disposition;
  return (
    <Anchored
      id="verdict"
      name={t('case.whyThisVerdict')}
      className={`card why tone-${toneOfDisposition(disposition)}`}
    >
      <header className="why-head">
        <p className="why-disposition">{visible(correction?.word ?? word)}</p>
        <Method verdict={verdict} />
      </header>
      {correction !== null && (
        <p>
          {rich('case.decidedByBeforeTheVerdict', {
            by: visible(correction.by),
            stamp: <Stamp at={correction.at} />,
            word: visible(word),
          })}
        </p>
      )}
      {summary !== '' && summary !== verdict.reasons[0] && (
        <p className="why-summary">
          <CitedText text={summary} links={links} />
        </p>
      )}
      <h2 className="why-title">{t('case.whyThisVerdict')}</h2>
      <ul className="reasons">
        {verdict.reasons.map((reason) => (
          <li key={reason}>
            <CitedText text={reason} links={links} />
          </li>
        ))}
      </ul>
      {isWithheld && <NeedsReviewer what={t('case.theReasonsInWords')} />}
      <Citations ids={verdict.citations} run={run} unit="" label={t('case.restsOn')} />
      <details className="more">
        <summary>{t('case.howItWasDecided')}</summary>
        <Why run={run} />
        <div className="why-scales">
          {ladder !== null && <LadderBar ladder={ladder} />}
          {scales.map((scale) => (
            <ScaleBar key={scale.name} scale={scale} />
          ))}
        </div>
        <Facts
          facts={[
            { label: 'disposition', value: verdict.disposition },
            { label: 'answer', value: answer },
            ...facts,
          ]}
        />
        <p className="rule">
          <ScaleIcon aria-hidden="true" size={13} />
          <span>{rich('case.decidedByTheRuleNot', { policy: inWords(run.settings.policy), rule })}</span>
        </p>
      </details>
    </Anchored>
  );
}

function Method({ verdict }: { verdict: Verdict }) {
  return (
    <span className="why-method">
      <MethodBadge method={verdict.method} />
      {verdict.confidenceSource !== verdict.method && verdict.method !== 'demonstration' && (
        <Badge>{rich('case.confidence2', { confidenceSource: verdict.confidenceSource })}</Badge>
      )}
      <DegradedBadge verdict={verdict} />
      {verdict.degraded && (
        <Link href="/docs/reference/glossary#degraded-verdicts">{t('case.whatDegradedMeans')}</Link>
      )}
    </span>
  );
}

// Presentation of a kind of case that this release does not know.
function plain({ disposition }: Verdict): Omit<Presentation, 'headline' | 'view'> {
  return {
    word: disposition,
    answer: '-',
    summary: '',
    confidenceApplies: true,
    ladder: null,
    scales: [],
    facts: [],
    rule: '',
  };
}

function Facts({ facts }: Pick<Presentation, 'facts'>) {
  return (
    <dl className="outcome">
      {facts.map(({ label, value }) => (
        <div key={label}>
          <dt>
            <GlossaryWord>{label}</GlossaryWord>
          </dt>
          <dd>{visible(value)}</dd>
        </div>
      ))}
    </dl>
  );
}

function NotYet({ run }: { run: ShownRun }) {
  const isOver = run.status === 'stopped' || waitsForPerson(run.status);
  return (
    <Anchored id="verdict" name={t('case.whyThisVerdict')} className="card why">
      <h2 className="why-title">{isOver ? t('case.noVerdict') : t('case.noVerdictYet')}</h2>
      <p className="quiet">{waitingText(run)}</p>
    </Anchored>
  );
}

const WIDTH = 300;
const HEIGHT = 10;

/** A figure on its scale, with the limits that it is compared with. */
function ScaleBar({ scale }: { scale: Scale }) {
  const { name, value, max, bands, text } = scale;
  const x = (at: number): number => (Math.min(at, max) / max) * WIDTH;
  const band = scaleBand(scale);
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
              {rich('case.from3', { label, max: max === 1 ? `${Math.round(from * 100)} %` : from })}
            </li>
          ))}
        </ol>
      )}
    </figure>
  );
}

/** The steps of a policy. The step that was applied is marked. */
function LadderBar({ ladder }: { ladder: Ladder }) {
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

/** Returns the band of a value; null: no limit decided. */
function scaleBand({ bands, value }: Pick<Scale, 'bands' | 'value'>): string | null {
  return bands.findLast(({ from }) => value >= from)?.label ?? null;
}
