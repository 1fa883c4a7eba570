import type { ResearchOutcome } from '@casefile/contracts';
import { isContradiction } from '@casefile/pipeline/parts/contradicting';
import { inLine } from '@casefile/pipeline/plain-text';
import type { UnitResult } from '@casefile/pipeline/stage-parts';
import type { ResearchRequest } from './read-input.js';
import { examinationFindings } from './examine.js';
import { draftIn, reportIn, requestIn, reviewIn } from './result.js';

/** Reasons why the rounds of a research ended without convergence, in words. */
const ENDED: Record<string, string> = {
  rounds: 'The rounds ran out before the critic was content: the findings that are open stand in the report.',
  repeated: 'The critic found the same again and nothing changed: the loop ended early.',
  'not-reviewed': 'No critic reviewed the draft.',
  analyst: 'The analyst gave no further draft: the one before goes on.',
  rules: 'No language model took part: the report is an extract of the sources, and concludes nothing.',
  'no-draft': 'There is no draft to review.',
};

function readingIn({ label, by }: NonNullable<ResearchRequest['clarified']>): string {
  if (by === null)
    return 'Its asker did not say in time which reading was meant: it is taken as it was asked.';
  return label === null
    ? 'Its asker wants it as it was asked.'
    : `Its asker chose the reading “${inLine(label, 200)}”.`;
}

/**
 * Returns the reasons of a research's verdict, the strongest first: claims that failed the cross-
 * examination, contradictions to the report, then the
 * judgement of the critic and the checks.
 */
export function verdictReasons(
  { brief, review, report, evidence, draft }: UnitResult,
  outcome: ResearchOutcome,
): string[] {
  const { endedBy } = reviewIn(review);
  const { sentences, cappedBy, writerFailed } = reportIn(report);
  const state = draftIn(draft);
  if (state.error !== null)
    return state.error.message
      .split('\n')
      .slice(0, 20)
      .map((line) => line.replace(/^- /, ''));
  if (state.kind === 'sources')
    return [
      `Research is switched off for this query: ${outcome.sources} sources are handed out as they are.`,
    ];
  const { clarified } = requestIn(brief);
  const needing = sentences.filter(({ state: is }) => is !== 'plain').length;
  const unsupported = sentences.filter(({ state: is }) => is === 'unsupported').length;
  const translated = sentences.filter((one) => one.state === 'verified' && one.otherLanguage).length;
  const proved = provedBy({ needing, unsupported, translated });
  const rounds = `${outcome.rounds} ${outcome.rounds === 1 ? 'round' : 'rounds'}`;
  const ended =
    state.kind === 'extract' && state.failed !== null
      ? 'The analyst gave no draft in time: the report is an extract of the sources, and concludes nothing.'
      : (ENDED[endedBy ?? ''] ?? 'The review did not converge.');
  return [
    ...examinationFindings(review),
    ...review.findings.filter(isContradiction).map(({ message }) => message),
    outcome.converged && outcome.ruling === review.ruling
      ? `${review.ruling} after ${rounds}: ${proved}`
      : `${outcome.converged ? '' : `${ended} `}${proved}`,
    ...(clarified === undefined ? [] : [readingIn(clarified)]),
    ...(state.asked.length > 0
      ? [`Searched for: ${state.asked.map((query) => inLine(query, 100)).join('; ')}.`]
      : []),
    ...(unsupported > 0
      ? [
          `${unsupported} ${unsupported === 1 ? 'sentence is' : 'sentences are'} marked as not found in a source.`,
        ]
      : []),
    ...cappedBy.map((why) => `Confidence is limited: ${why}.`),
    ...(writerFailed === 'strayed'
      ? ['The writer’s text said what the draft’s sources do not: the draft itself is the report.']
      : []),
    ...(outcome.withoutText === undefined
      ? []
      : [
          `${outcome.withoutText.length} of ${outcome.sources} sources came without text that could be read.`,
        ]),
    ...(evidence.leftOut === undefined
      ? []
      : [`${evidence.leftOut.length} sources were left out by the mode ${outcome.mode}.`]),
    ...evidence.items
      .filter(({ success }) => !success)
      .map(({ message, reason }) => `A search gave no answer: ${inLine(message ?? reason ?? '', 200)}`),
  ];
}

/** Describes what the check of the sentences proves. */
function provedBy({
  needing,
  unsupported,
  translated,
}: {
  needing: number;
  unsupported: number;
  translated: number;
}): string {
  const supported = `${needing - unsupported} of ${needing}`;
  if (needing === unsupported)
    return 'No sentence of the report has figures, dates or names that occur in a source it cites.';
  const occur = `The figures, dates and names of ${supported} sentences that need a source occur in the sources they cite.`;
  if (translated === 0) return occur;
  const some =
    translated === 1
      ? 'One of them is in another language than its sources: of it'
      : `${translated} of them are in another language than their sources: of these`;
  return `${occur} ${some}, only figures and dates were compared.`;
}
