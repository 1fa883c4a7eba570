import { counted, rich, t } from '../../../strings/text.js';
import type { CheckedSentence, Finding, ShownRun } from '@casefile/contracts';
import { durationText } from '../../../format/time.js';
import { visible } from '../../../format/visible.js';
import { inWords } from '../../../format/words.js';
import { Badge } from '../../../ui/badge.js';
import { CitedText } from '../../../ui/cited-text.js';
import type { EvidenceLinks } from '../../../ui/link-citations.js';
import { SafeMarkdown } from '../../../ui/markdown.js';
import { evidenceLinks } from '../../case/evidence-places.js';
import type { KindView } from '../kind-view.js';
import {
  aroundQuote,
  byTier,
  draftChanges,
  needingSource,
  shownRunResearch,
  type CitedSource,
  type Research,
  type Round,
} from './research.js';
import './research.css';

/** View of a research: each sentence with the words that support it, rounds side by side, sources by tier. */
export const researchView: KindView = { Card, Why: () => null, Brief: () => null };

function Card({ run }: { run: ShownRun }) {
  const research = shownRunResearch(run);
  if (research.rounds.length === 0 && research.sources.length === 0) return null;
  const links = evidenceLinks(run, '');
  return (
    <section className="card research" aria-label={t('research.research')}>
      <header className="card-head">
        <h2>{t('research.research')}</h2>
        <span className="quiet">
          {research.report === null ? t('research.underWay') : counted('count.round', research.rounds.length)}
        </span>
      </header>
      <Sentences research={research} links={links} />
      <Rounds rounds={research.rounds} links={links} />
      <Sources research={research} links={links} />
      <Costs research={research} />
    </section>
  );
}

interface ResearchProps {
  research: Research;
  links: EvidenceLinks;
}

function Sentences({ research: { report, sources }, links }: ResearchProps) {
  const sentences = report === null ? [] : needingSource(report);
  if (report === null || sentences.length === 0) return null;
  const share = `${Math.round((report.share ?? 0) * 100)} %`;
  return (
    <section aria-label={t('research.sentencesAndTheirSources')}>
      <h3>
        {rich('research.sentencesAndTheirSources2', {
          span: (
            <span className="quiet">
              {rich('research.figuresDatesAndNamesOf', { share, confidenceLevel: report.confidenceLevel })}
            </span>
          ),
        })}
      </h3>
      <ul>
        {sentences.map((sentence, i) => (
          <li key={i} dir="auto">
            {sentence.state === 'unsupported' && (
              <Badge tone="amber">{t('research.notFoundInASource')}</Badge>
            )}{' '}
            <CitedText text={sentence.text} links={links} />
            {sentence.problems.map(({ code, what }, j) => (
              <p key={j} className="quiet">
                {inWords(code)}: {visible(what)}
              </p>
            ))}
            <Quotes sentence={sentence} sources={sources} />
          </li>
        ))}
      </ul>
    </section>
  );
}

/** Quotes as links that open the stored original at the quoted words. */
function Quotes({ sentence, sources }: { sentence: CheckedSentence; sources: readonly CitedSource[] }) {
  return (
    <>
      {sentence.quotes.map(({ id, quote }) => {
        const cited = sources.find((one) => one.id === id);
        if (cited === undefined) return null;
        const { before, quote: words, after } = aroundQuote(cited, quote);
        return (
          <details key={id}>
            <summary>
              <span className="mono">[{id}]</span> {visible(cited.source.site)} <Tier cited={cited} />
            </summary>
            <p className="original" dir="auto">
              {visible(before)}
              {words !== '' && <mark>{visible(words)}</mark>}
              {visible(after)}
            </p>
          </details>
        );
      })}
    </>
  );
}

function Tier({ cited }: { cited: CitedSource }) {
  const { tier, type } = cited.source._reasoning_metadata;
  return (
    <Badge tone={tier !== null && tier <= 2 ? 'accent' : 'amber'}>
      {tier === null ? t('research.unknownTier') : t('research.tier', { tier, type })}
    </Badge>
  );
}

function Rounds({ rounds, links }: { rounds: readonly Round[]; links: EvidenceLinks }) {
  if (rounds.length === 0) return null;
  return (
    <section aria-label={t('research.rounds')}>
      <h3>{t('research.rounds')}</h3>
      <div className="rounds" tabIndex={0} role="group" aria-label={t('research.roundsSideBySide')}>
        {rounds.map((round, i) => (
          <article key={round.round} aria-label={t('research.round', { round: round.round })}>
            <h4>
              {rich('research.round2', {
                round: round.round,
                review: round.review !== null && <Ruling ruling={round.review.ruling} />,
              })}
            </h4>
            {round.searches.length > 0 && (
              <p dir="auto">
                {rich('research.searchedFor', { searches: round.searches.map(visible).join('; ') })}
              </p>
            )}
            {round.review !== null && <Findings review={round.review} links={links} />}
            {round.draft !== null && (
              <Drafted draft={round.draft} before={draftBefore(rounds, i)} links={links} />
            )}
          </article>
        ))}
      </div>
    </section>
  );
}

function draftBefore(rounds: readonly Round[], at: number): string | null {
  return rounds.slice(0, at).findLast(({ draft }) => draft !== null)?.draft ?? null;
}

interface DraftedProps {
  draft: string;
  /** The draft of the previous round; null: there was none. */
  before: string | null;
  links: EvidenceLinks;
}

function Drafted({ draft, before, links }: DraftedProps) {
  const changes = before === null ? null : draftChanges(before, draft);
  return (
    <>
      <details>
        <summary>{t('research.draft')}</summary>
        <SafeMarkdown text={visible(draft)} links={links} />
      </details>
      {changes !== null && (
        <details open>
          <summary>{t('research.whatChangedInTheDraft')}</summary>
          <ul>
            {changes.parts.flatMap(({ text, isNew }, i) =>
              isNew
                ? [
                    <li key={`new ${i}`} dir="auto">
                      <Badge tone="accent">{t('research.added')}</Badge>{' '}
                      <ins>
                        <CitedText text={text} links={links} />
                      </ins>
                    </li>,
                  ]
                : [],
            )}
            {changes.gone.map((text, i) => (
              <li key={`gone ${i}`} dir="auto">
                <Badge tone="amber">{t('research.removed')}</Badge>{' '}
                <del>
                  <CitedText text={text} links={links} />
                </del>
              </li>
            ))}
          </ul>
          {changes.gone.length + changes.parts.filter(({ isNew }) => isNew).length === 0 && (
            <p className="quiet">{t('research.nothing')}</p>
          )}
        </details>
      )}
    </>
  );
}

const TONES = { PASS: 'accent', WARN: 'amber', REJECT: 'amber' } as const;

function Ruling({ ruling }: { ruling: keyof typeof TONES }) {
  return <Badge tone={TONES[ruling]}>{ruling}</Badge>;
}

interface FindingsProps {
  review: NonNullable<Round['review']>;
  links: EvidenceLinks;
}

function Findings({ review: { answer, findings }, links }: FindingsProps) {
  const changes: [string, Finding[]][] = [
    ['new', findings.filter(({ id }) => answer.fresh.includes(id))],
    ['repeated', findings.filter(({ id }) => answer.repeated.includes(id))],
    ['solved', answer.solved],
  ];
  return (
    <>
      {answer.critique !== '' && (
        <p dir="auto">
          <CitedText text={answer.critique} links={links} />
        </p>
      )}
      <ul>
        {changes.flatMap(([change, list]) =>
          list.map(({ id, message }) => (
            <li key={`${change} ${id}`} dir="auto">
              <Badge tone={change === 'solved' ? 'accent' : 'amber'}>{change}</Badge>{' '}
              <CitedText text={message} links={links} />
            </li>
          )),
        )}
      </ul>
    </>
  );
}

function Sources({ research: { sources, leftOut }, links }: ResearchProps) {
  return (
    <details>
      <summary>
        {rich('research.sources', {
          sources: sources.length,
          leftOut: leftOut.length > 0 && t('research.leftOut', { leftOut: leftOut.length }),
        })}
      </summary>
      {byTier(sources).map(({ tier, sources: own }) => (
        <section
          key={tier ?? 'unknown'}
          aria-label={tier === null ? t('research.unknownSources') : t('research.tier2', { tier })}
        >
          <h4>{tier === null ? t('research.unknown') : t('research.tier2', { tier })}</h4>
          <ul>
            {own.map(({ id, source }) => (
              <li key={id} dir="auto">
                <CitedText text={`[${id}]`} links={links} /> {visible(source.site)}: {visible(source.name)}{' '}
                <span className="quiet">
                  {source.published?.slice(0, 10) ?? t('research.noDate')}
                  {source.query !== null && t('research.foundBy', { query: visible(source.query) })}
                </span>
              </li>
            ))}
          </ul>
        </section>
      ))}
      {leftOut.length > 0 && (
        <section aria-label={t('research.leftOut2')}>
          <h4>{t('research.leftOut2')}</h4>
          <ul>
            {leftOut.map(({ what, why }, i) => (
              <li key={i} dir="auto">
                {visible(what)} <span className="quiet">{visible(why)}</span>
              </li>
            ))}
          </ul>
        </section>
      )}
    </details>
  );
}

function Costs({ research: { costs } }: { research: Research }) {
  if (costs.length === 0) return null;
  const line = costs.map(
    ({ role, calls, ms, usd }) =>
      `${role} ${counted('count.call', calls)}, ${durationText(ms)}${usd === null ? '' : `, $${usd.toFixed(4)}`}`,
  );
  return <p className="quiet">{line.join(' · ')}</p>;
}
