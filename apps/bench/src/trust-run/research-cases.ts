import type { JsonObject } from '@casefile/contracts';
import type { LIES, ResearchScenario } from './read-set.js';
import type { ResearchPair } from './read-sorts.js';
import { replyWith, nearestClause, type LabelledClaim, type TrustCase } from './trust-case.js';

/** Positions of the honest sentences of each report. */
const REPORTS = [
  [0, 1],
  [1, 2, 3],
  [0, 4],
  [2, 3],
  [0, 1, 2, 3, 4],
] as const;

/**
 * Returns the reports of each question: five honest ones, one with a wrong conclusion, and two with a false
 * meaning.
 */
export function researchCases(scenarios: readonly ResearchScenario[]): TrustCase[] {
  return scenarios.flatMap((scenario, at) => {
    const { id, honest, lies, wrong } = scenario;
    const reports = REPORTS.map((places, place) => {
      const claims = places.map((one) => supported(honest[one]!, scenario));
      return caseOf(scenario, claims, { id: `${id}-h${place + 1}`, honest: true, expected: ['act'] });
    });
    const dishonest = [wrong, lies[(2 * at) % lies.length]![1], lies[(2 * at + 1) % lies.length]![1]];
    const lying = dishonest.map((lie, place) => {
      const claims = [contradicted(lie, scenario), supported(honest[place]!, scenario)];
      return caseOf(scenario, claims, { id: `${id}-w${place + 1}`, honest: false, expected: [] });
    });
    return [...reports, ...lying];
  });
}

/** Returns a right report and a wrong one about the same sources. */
export function pairCases({
  id,
  language,
  query,
  sources,
  honest,
  wrong,
  against,
}: ResearchPair): TrustCase[] {
  const scenario: ReportScenario = { id, language, query, sources };
  const right = honest.map((sentence) => supported(sentence, scenario));
  const lie: LabelledClaim = { text: wrong, label: 'contradicts', quote: against[1] };
  return [
    caseOf(scenario, right, { id: `${id}-h`, honest: true, expected: ['act'] }),
    caseOf(scenario, [lie, right[0]!], { id: `${id}-w`, honest: false, expected: [] }),
  ];
}

/** Facts of a question that a report is made from. */
type ReportScenario = Pick<ResearchScenario, 'id' | 'query' | 'sources'> & { language: string };

/** A report of one sentence. */
export interface SentenceCase {
  one: TrustCase;
  language: ResearchScenario['language'];
  /** The kind of its lie; null: the sentence is honest. */
  lie: (typeof LIES)[number] | null;
}

/** Returns every sentence of the set as a separate report. */
export function sentenceCases(scenarios: readonly ResearchScenario[]): SentenceCase[] {
  return scenarios.flatMap((scenario) => {
    const { id, language, honest, lies } = scenario;
    const truths = honest.map((sentence, at) => ({
      one: caseOf(scenario, [supported(sentence, scenario)], {
        id: `${id}-s${at + 1}`,
        honest: true,
        expected: [],
      }),
      language,
      lie: null,
    }));
    const lying = lies.map(([lie, sentence], at) => {
      const common = { id: `${id}-${lie}-${at + 1}`, honest: false, expected: [] };
      return { one: caseOf(scenario, [contradicted(sentence, scenario)], common), language, lie };
    });
    return [...truths, ...lying];
  });
}

/** Returns the sites of the set with their tiers. */
export const tiersOf = (scenarios: readonly Pick<ResearchScenario, 'sources'>[]) =>
  new Map(scenarios.flatMap(({ sources }) => sources.map(([site, tier]) => [site, tier] as const)));

const citedIn = (sentence: string): number[] =>
  [...sentence.matchAll(/\[E(\d+)\]/g)].map(([, number]) => Number(number) - 1);

function supported(text: string, { sources }: ReportScenario): LabelledClaim {
  const place = citedIn(text)[0] ?? 0;
  return { text, label: 'supports', quote: nearestClause(sources[place]![2], text) };
}

// The better sources contradict a conclusion from a forum. The cited source contradicts a false meaning.
function contradicted(text: string, { sources }: ResearchScenario): LabelledClaim {
  const better = sources.filter(([, tier]) => tier < 4).map(([, , sourceText]) => sourceText);
  const cited = citedIn(text).flatMap((place) => {
    const [, tier = 5, sourceText = ''] = sources[place] ?? [];
    return tier < 4 ? [sourceText] : [];
  });
  return {
    text,
    label: 'contradicts',
    quote: nearestClause((cited.length > 0 ? cited : better).join('\n'), text),
  };
}

type Common = Pick<TrustCase, 'id' | 'honest' | 'expected'>;

function caseOf(scenario: ReportScenario, claims: LabelledClaim[], common: Common): TrustCase {
  const { id, query, sources, language } = scenario;
  const items = sources.map(([site, , sourceText], place) => ({
    url: `https://source-${place + 1}.${id}.example/article`,
    name: sourceText.split(/[，。,.]/u)[0]!,
    site,
    description: sourceText,
    schema_object: { '@type': 'NewsArticle', articleBody: sourceText, datePublished: '2026-03-01' },
  }));
  const draft = claims.map(({ text }) => text).join(language === 'zh' ? '' : ' ');
  const answers: Record<string, JsonObject> = {
    research_draft: { status: 'DRAFT_READY', newQueries: [], draft, reasoningChain: '-' },
    research_review: {
      status: 'PASS',
      critique: language === 'zh' ? '沒有問題。' : 'Nothing to change.',
      suggestions: [],
      modeCompliance: '符合',
      logicalGaps: [],
    },
    research_report: { finalReport: draft, sourcesUsed: [], confidenceLevel: 'High' },
  };
  return {
    ...common,
    kind: 'research',
    wrongWay: 'act',
    printable: true,
    contradicted: !common.honest,
    conclusion: claims[0]!.text,
    alert: {
      playbook: 'research',
      payload: { query, sourceMode: 'discovery', items: items as unknown as JsonObject[] },
      labels: { case: common.id },
    },
    claims,
    results: {},
    reply: ({ answerSchema }) => replyWith(answers[answerSchema?.name ?? ''] ?? {}),
  };
}
