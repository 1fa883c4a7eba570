import type { ConfidenceLevel, ResearchReport } from '@casefile/contracts';
import { isContradiction } from '@casefile/pipeline/parts/contradicting';
import type { WriteInput } from '@casefile/pipeline/stage-parts';
import type { ReportCheck } from './check/check-report.js';
import { countShared, shinglesOf } from '@casefile/pipeline/reading/index';
import { reviewIn, sourcesIn, type CitableSource } from './result.js';
import { addressDomain, sourceName } from './tiers.js';

/** A share of supported sentences below these limits caps the level of a report at Medium or Low. */
const MEDIUM_BELOW = 1;
const LOW_BELOW = 0.6;
/** Two texts with at least this share of common words are copies. */
const COPY_FROM = 0.8;
const ORDER: readonly ConfidenceLevel[] = ['Low', 'Medium', 'High'];

/** Author of a report, and the level that its author stated. */
export interface WrittenReport {
  text: string;
  writtenBy: ResearchReport['writtenBy'];
  said: ConfidenceLevel | null;
  writerFailed: string | null;
}

type Cap = [ConfidenceLevel, string];

/**
 * Returns the confidence level of a report, with a reason for each limit below the level that its writer
 * stated. Default: Medium. Limits: the review, the share of supported sentences, the best tier and the number
 * of independent sources of these sentences, the cross-examination, and findings that contradict the report.
 */
export function writtenReportLevel(
  { said, writerFailed }: WrittenReport,
  checked: ReportCheck,
  input: WriteInput,
): { level: ConfidenceLevel; cappedBy: string[] } {
  const { converged } = reviewIn(input.review);
  const caps: Cap[] = [
    ...(converged ? [] : [['Low', 'the review did not converge'] as Cap]),
    ...capsOfSources(checked, input),
    ...capsOfExamination(input),
    ...(writerFailed === null || writerFailed === 'strayed'
      ? []
      : [['Low', 'the writer gave no report'] as Cap]),
  ];
  const wanted = said ?? 'Medium';
  const level = caps.reduce(
    (lowest, [cap]) => (ORDER.indexOf(cap) < ORDER.indexOf(lowest) ? cap : lowest),
    wanted,
  );
  return {
    level,
    cappedBy: caps.filter(([cap]) => ORDER.indexOf(cap) < ORDER.indexOf(wanted)).map(([, why]) => why),
  };
}

function capsOfShare(share: number): Cap[] {
  if (share < LOW_BELOW) return [['Low', 'the sources support too few of its sentences']];
  return share < MEDIUM_BELOW ? [['Medium', 'no source supports one of its sentences']] : [];
}

function capsOfSources({ sentences, share }: ReportCheck, { evidence, review }: WriteInput): Cap[] {
  const ids = new Set(sentences.flatMap((one) => (one.state === 'verified' ? one.ids : [])));
  if (share === null || ids.size === 0) return [['Low', 'no source supports a sentence of it']];
  const cited = sourcesIn(evidence).filter(({ id }) => ids.has(id));
  const best = Math.min(...cited.map(({ source }) => source._reasoning_metadata.tier ?? 9));
  return [
    ...capsOfShare(share),
    ...(best <= 2
      ? []
      : [
          best === 3
            ? (['Medium', 'the best source that it cites is of tier 3'] as Cap)
            : (['Low', 'it cites no source of tiers 1 to 3'] as Cap),
        ]),
    ...(independent(cited) > 1 ? [] : [['Medium', 'it rests on one source'] as Cap]),
    ...(review.findings.some(isContradiction)
      ? [['Low', 'something on the record contradicts it'] as Cap]
      : []),
  ];
}

function capsOfExamination({ review: { crossExamination } }: WriteInput): Cap[] {
  if (crossExamination === undefined) return [];
  const { claims, failed } = crossExamination;
  if (failed !== null) return [['Medium', 'its claims were not cross-examined']];
  if (claims.some(({ answer }) => answer === 'contradicts'))
    return [['Low', 'a source contradicts a claim that was removed from it']];
  return claims.some(({ answer }) => answer === 'not_in_it')
    ? [['Medium', 'a claim that its sources do not state was removed from it']]
    : [];
}

/** Sources of different publishers with different texts. */
function independent(cited: readonly CitableSource[]): number {
  const counted: { publisher: string; words: Set<string> }[] = [];
  for (const { source } of cited) {
    const publisher = addressDomain(source.url) ?? sourceName(source.site);
    const words = shinglesOf(source.text);
    if (!counted.some((one) => one.publisher === publisher || isCopy(one.words, words)))
      counted.push({ publisher, words });
  }
  return counted.length;
}

function isCopy(a: ReadonlySet<string>, b: ReadonlySet<string>): boolean {
  return a.size > 0 && countShared(a, b) >= COPY_FROM * Math.max(a.size, b.size);
}
