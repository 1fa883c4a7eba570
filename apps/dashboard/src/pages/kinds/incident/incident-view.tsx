import { counted, rich, t } from '../../../strings/text.js';
import { isReasonCode, reasonInWords } from '@casefile/contracts/reason-codes';
import type { IncidentResult, IncidentStep, LookUp, ReadCitation, ShownRun } from '@casefile/contracts';
import type { ReactNode } from 'react';
import { visible } from '../../../format/visible.js';
import { Badge } from '../../../ui/badge.js';
import { CitedText } from '../../../ui/cited-text.js';
import type { EvidenceLinks } from '../../../ui/link-citations.js';
import { SafeMarkdown } from '../../../ui/markdown.js';
import { evidenceLinks } from '../../case/evidence-places.js';
import type { KindView } from '../kind-view.js';
import { shownIncident, percent } from './incident.js';
import './incident.css';

/** View of an incident: likely and excluded causes, steps, look-ups, and failed look-ups. */
export const incidentView: KindView = { Card, Why: () => null, Brief: () => null };

function Card({ run }: { run: ShownRun }) {
  const { result, rounds } = shownIncident(run);
  if (result === null && rounds.length === 0) return null;
  const links = evidenceLinks(run, '');
  return (
    <section className="card investigation" aria-label={t('incident.investigation')}>
      <header className="card-head">
        <h2>{t('incident.investigation')}</h2>
        <span className="quiet">{result === null ? t('incident.underWay') : endText(result)}</span>
      </header>
      {result !== null && <Result result={result} links={links} />}
      {rounds.length > 0 && (
        <details open={result === null}>
          <summary>{rich('incident.analysesAfterEachRound', { rounds: rounds.length })}</summary>
          <ol>
            {rounds.map(({ round, text }) => (
              <li key={round}>
                <SafeMarkdown text={visible(text)} links={links} />
              </li>
            ))}
          </ol>
        </details>
      )}
    </section>
  );
}

function endText({ endedBy, stopped, iterations }: IncidentResult): string {
  const turns = counted('count.turn', iterations);
  if (endedBy !== null) return t('incident.endedEarly', { turns, endedBy: reasonInWords(endedBy) });
  return stopped === null ? t('incident.withoutAModel') : turns;
}

function Result({ result, links }: { result: IncidentResult; links: EvidenceLinks }) {
  const { hypotheses, ruledOut, steps, gaps, dropped, lookUps, runbook } = result;
  const { unproven = [] } = result;
  return (
    <>
      <Part title={t('incident.likelyCauses')} none={t('incident.noSourceSupportsACause')} items={hypotheses}>
        {({ cause, probability, citations }) => (
          <>
            <Badge tone="accent">{percent(probability)}</Badge> <CitedText text={cause} links={links} />
            <Words citations={citations} links={links} />
          </>
        )}
      </Part>
      <Part title={t('incident.ruledOut')} items={ruledOut}>
        {({ cause, citations }) => (
          <>
            <CitedText text={cause} links={links} />
            <Words citations={citations} links={links} />
          </>
        )}
      </Part>
      <Part title={t('incident.recommendedActions')} items={steps}>
        {(step) => (
          <>
            <CitedText text={step.what} links={links} />{' '}
            {(result.model !== null || step.hazard !== undefined) && <Risk step={step} />}
          </>
        )}
      </Part>
      <Part title={t('incident.failedLookUps')} items={gaps}>
        {(gap) => <CitedText text={gap} links={links} />}
      </Part>
      <Part title={t('incident.statedWithoutProof')} items={unproven}>
        {({ text, why }) => (
          <>
            <CitedText text={text} links={links} /> <span className="quiet">({visible(why)})</span>
          </>
        )}
      </Part>
      <Part title={t('incident.removedNoSourceSupportsIt')} items={dropped}>
        {(cause) => <CitedText text={cause} links={links} />}
      </Part>
      {runbook !== null && (
        <p className="quiet">
          <CitedText
            text={t('incident.runbook', {
              id: runbook.id,
              title: runbook.title,
              source: runbook.source,
              why: runbook.why,
            })}
            links={links}
          />
        </p>
      )}
      <LookUps lookUps={lookUps} links={links} />
    </>
  );
}

function Risk({ step: { risk, reversible, hazard, ofRunbook } }: { step: IncidentStep }) {
  const undone = reversible ? t('incident.canBeUndone') : t('incident.cannotBeUndone');
  if (hazard !== undefined) return <strong>{rich('incident.risk', { hazard, risk, undone })}</strong>;
  return (
    <span className="quiet">
      {ofRunbook === true ? t('incident.byTheRunbook') : t('incident.risk2', { risk, undone })}
    </span>
  );
}

function Part<T>({
  title,
  items,
  none,
  children,
}: {
  title: string;
  items: readonly T[];
  none?: string;
  children(item: T): ReactNode;
}) {
  if (items.length === 0 && none === undefined) return null;
  return (
    <section aria-label={title}>
      <h3>{title}</h3>
      {items.length === 0 ? (
        <p className="quiet">{none}</p>
      ) : (
        <ul>
          {items.map((item, i) => (
            <li key={i} dir="auto">
              {children(item)}
            </li>
          ))}
        </ul>
      )}
    </section>
  );
}

/** Quoted words of look-ups. */
function Words({ citations, links }: { citations: readonly ReadCitation[]; links: EvidenceLinks }) {
  return (
    <>
      {citations.map(({ id, quote }, i) => (
        <blockquote key={i}>
          “{visible(quote)}” <CitedText text={`[${id}]`} links={links} />
        </blockquote>
      ))}
    </>
  );
}

function LookUps({ lookUps, links }: { lookUps: readonly LookUp[]; links: EvidenceLinks }) {
  if (lookUps.length === 0) return null;
  return (
    <details>
      <summary>{rich('incident.lookedUp', { lookUps: lookUps.length })}</summary>
      <ul aria-label={t('incident.lookUps')}>
        {lookUps.map(({ id, tool, args, said, gap }) => (
          <li key={id}>
            <CitedText text={`[${id}]`} links={links} /> <span className="mono">{visible(tool)}</span>{' '}
            <code>{visible(JSON.stringify(args))}</code>
            <p>
              {gap === null ? (
                visible(said)
              ) : (
                <span className="look-up-gap">
                  {rich('incident.noAnswer', { gap: visible(isReasonCode(gap) ? reasonInWords(gap) : gap) })}
                </span>
              )}
            </p>
          </li>
        ))}
      </ul>
    </details>
  );
}
