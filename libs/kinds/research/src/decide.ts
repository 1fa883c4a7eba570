import {
  degradedCauseOf,
  type DegradedCause,
  lookUpsOf,
  type JsonObject,
  type ReportItem,
  type ResearchOutcome,
} from '@casefile/contracts';
import { claimRows, uncheckedReason } from '@casefile/pipeline/claims/show-claims';
import { decisionRule, failedModel, type DecidedUnits } from '@casefile/pipeline/parts/deciding';
import type { UnitResult } from '@casefile/pipeline/stage-parts';
import { inLine } from '@casefile/pipeline/plain-text';
import { isContradiction } from '@casefile/pipeline/parts/contradicting';
import { examinationFindings } from './examine.js';
import { reportItem, reportUrl, itemScore, SITE } from './item.js';
import { verdictReasons } from './reasons.js';
import {
  rolesSilent,
  draftIn,
  reportIn,
  requestIn,
  reviewIn,
  sourcesIn,
  sourcesWithoutText,
  type CitableSource,
} from './result.js';
import { linkTarget } from './safe-markdown.js';

const CONFIDENCE = { High: 0.9, Medium: 0.7, Low: 0.4 } as const;

/** Decision rule of a research: the verdict has items, and states whether it needs review. */
export const itemsOrReview = decisionRule({
  name: 'items-or-review',
  missing: (units) => ({ causes: causesOf(units) }),
  decide({ unit, degraded, caseId = '' }) {
    const { review, report } = unit;
    const outcome = outcomeOf(unit, caseId);
    const { claims = [] } = review;
    const { sentences } = reportIn(report);
    const unsupported = sentences.filter(({ state }) => state === 'unsupported').length;
    const acts =
      outcome.converged &&
      outcome.ruling !== 'REJECT' &&
      unsupported === 0 &&
      outcome.error === null &&
      examinationFindings(review).length === 0 &&
      !review.findings.some(isContradiction);
    return {
      outcome: {
        ...(outcome as unknown as JsonObject),
        ...(claims.length === 0 ? {} : { claims: claimRows(claims) as unknown as JsonObject[] }),
      },
      disposition: acts && !degraded ? 'act' : 'review',
      confidence: outcome.error === null ? CONFIDENCE[outcome.confidenceLevel] : 0,
      reasons: [...verdictReasons(unit, outcome), ...uncheckedReason(claims)],
      citations: report.citations,
    };
  },
});

function causesOf([{ draft, review, report, evidence }]: DecidedUnits): (DegradedCause | null)[] {
  const { writerFailed } = reportIn(report);
  const { criticFailed } = reviewIn(review);
  const examinerFailed = review.crossExamination?.failed ?? null;
  return [
    failedModel(draft),
    writerFailed === null || writerFailed === 'strayed' ? null : degradedCauseOf(writerFailed),
    criticFailed === undefined ? null : degradedCauseOf(criticFailed),
    examinerFailed === null ? null : degradedCauseOf(examinerFailed),
    lookUpsOf(evidence.items).failed > 0 ? 'lookups_failed' : null,
  ];
}

function outcomeOf(unit: UnitResult, caseId: string): ResearchOutcome {
  const { draft, review, report, brief, evidence } = unit;
  const request = requestIn(brief);
  const { query, mode } = request;
  const state = draftIn(draft);
  const { converged, endedBy } = reviewIn(review);
  const written = reportIn(report);
  const sources = sourcesIn(evidence);
  const rounds = unitResultRounds(unit);
  const untold = sourcesWithoutText(evidence);
  const used = sources.filter(({ id }) => written.sourcesUsed.includes(id));
  const tiers = used.flatMap(({ source }) => source._reasoning_metadata.tier ?? []);
  const isSupported = written.sentences.some(({ state: is }) => is === 'verified');
  // A draft may have passed because of sentences that the writer then left out. So the report needs support
  // too.
  const fails = state.kind !== 'sources' && !isSupported;
  const ruling = fails ? 'REJECT' : review.ruling;
  const score =
    state.error !== null
      ? 0
      : itemScore({
          ruling: reviewIn(review).said === null && !fails ? null : ruling,
          share: isSupported ? (written.share ?? 0) : 0,
          bestTier: tiers.length === 0 ? null : Math.min(...tiers),
          converged,
          isExtract: state.kind === 'extract',
        });
  const items: ReportItem[] =
    state.kind === 'sources'
      ? sources.map((one) => plainItem(one, request.mode, query, caseId))
      : [
          reportItem(request, caseId, {
            score,
            description:
              state.error === null
                ? linkedReport(written.finalReport, sources)
                : `${state.error.code}: ${state.error.message}`,
            about: {
              mode,
              iterations: rounds,
              sources_used: used.map(({ source }) => source.url),
              confidence: written.confidenceLevel,
              total_sources_analyzed: sources.length,
            },
          }),
        ];
  return {
    items,
    mode,
    rounds,
    converged,
    notConverged: !converged && (endedBy === 'rounds' || endedBy === 'repeated' || endedBy === 'analyst'),
    ruling,
    confidenceLevel: written.confidenceLevel,
    share: written.share === null ? null : Math.round(written.share * 1_000) / 1_000,
    sources: sources.length,
    summary: inLine(state.error?.message.split('\n', 1)[0] ?? firstLine(written.finalReport), 200),
    error: state.error?.code ?? null,
    ...(untold.length === 0 ? {} : { withoutText: untold.map(({ source }) => source.url) }),
    ...(evidence.reused === undefined ? {} : { reused: evidence.reused }),
    ...(state.error === null && rolesSilent(unit, written.writerFailed).length > 0 ? { partial: true } : {}),
  };
}

/** Returns the number of rounds of the analyst. */
function unitResultRounds({ draft }: UnitResult): number {
  return draftIn(draft).round;
}

function firstLine(report: string): string {
  const lines = report.split('\n').map((line) => line.trim());
  return (
    lines.find((line) => line !== '' && !/^[#>*-]/.test(line)) ??
    lines.find((line) => line !== '') ??
    ''
  ).replaceAll(/\[E\d{1,5}\]|\*\*/g, '');
}

/** Returns a source as a separate item, used if research is switched off. */
function plainItem(
  { source }: CitableSource,
  mode: ResearchOutcome['mode'],
  query: string,
  caseId: string,
): ReportItem {
  const target = linkTarget(source.url);
  return {
    '@type': 'Item',
    url: target ?? reportUrl(mode, query, caseId),
    name: source.name,
    site: source.site || SITE,
    siteUrl: target === null ? '' : new URL(target).origin,
    score: 0,
    description: source.description,
  };
}

/** Returns the report with its citations as links to their sources. The report has no other links. */
function linkedReport(report: string, sources: readonly CitableSource[]): string {
  const targets = new Map(sources.map(({ id, source }) => [id, linkTarget(source.url)] as const));
  return report.replaceAll(/\[(E\d{1,5})\]/g, (whole, id: string) => {
    const target = targets.get(id);
    return target === undefined || target === null ? whole : `[\\[${id}\\]](${target})`;
  });
}
