import { rich, t } from '../../strings/text.js';
import { reasonInWords } from '@casefile/contracts/reason-codes';
import type { ClaimAnswer, CrossExamination } from '@casefile/contracts';
import { visible } from '../../format/visible.js';
import { Badge, type Tone } from '../../ui/badge.js';
import { CitedText } from '../../ui/cited-text.js';
import type { EvidenceLinks } from '../../ui/link-citations.js';

const ANSWERS: Record<ClaimAnswer, { tone: Tone; word: string }> = {
  supports: { tone: 'green', word: t('case.supported') },
  contradicts: { tone: 'red', word: t('case.contradictedRemoved') },
  not_in_it: { tone: 'amber', word: t('case.notInItsSourcesRemoved') },
};

interface ExaminedProps {
  examined: CrossExamination;
  links: EvidenceLinks;
}

/** Each claim of a draft with the result of its cross-examination and the words of its source. */
export function Claims({ examined: { claims, failed }, links }: ExaminedProps) {
  return (
    <>
      {failed !== null && (
        <p className="quiet">{rich('case.noAnswer2', { failed: reasonInWords(failed) })}</p>
      )}
      <ul className="findings">
        {claims.map(({ id, text, sources, answer, quote }) => (
          <li key={id} className="finding" dir="auto">
            <Badge tone={ANSWERS[answer].tone}>{ANSWERS[answer].word}</Badge>
            <span className="finding-text">
              {visible(text)} <CitedText text={`[${sources.join(', ')}]`} links={links} />
              {quote !== null && (
                <blockquote>
                  “{visible(quote.words)}” <CitedText text={`[${quote.source}]`} links={links} />
                </blockquote>
              )}
            </span>
          </li>
        ))}
      </ul>
    </>
  );
}

/** The cross-examination of a draft: its claims, and planted claims that test the examiner. */
export function Examination({ examined, links }: ExaminedProps) {
  const { planted = [] } = examined;
  return (
    <section aria-label={t('case.crossExamination')}>
      <h4>{t('case.crossExamination')}</h4>
      <Claims examined={examined} links={links} />
      {planted.length > 0 && (
        <>
          <h5>{t('case.plantedFalseClaimsWhichTest')}</h5>
          <ul className="findings">
            {planted.map(({ askedAs, text, answer }) => (
              <li key={askedAs} className="finding" dir="auto">
                <Badge tone={answer === 'supports' ? 'red' : 'neutral'}>
                  {answer === null
                    ? t('case.planted')
                    : answer === 'supports'
                      ? t('case.plantedSupported')
                      : t('case.plantedRejected')}
                </Badge>
                <span className="finding-text">{visible(text)}</span>
              </li>
            ))}
          </ul>
        </>
      )}
    </section>
  );
}
