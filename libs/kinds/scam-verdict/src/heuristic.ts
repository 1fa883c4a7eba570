import type { EvidenceItem } from '@casefile/contracts';
import { inLine } from '@casefile/pipeline/plain-text';
import type { DraftParts, ReasonInput } from '@casefile/pipeline/strategy';
import { signalsFound, signInWords } from '@casefile/pipeline/text-signals/signals-found';
import { enginesText, evidenceItemReading } from '@casefile/pipeline/scam/tool-readings';
import type { RiskLevel } from './question.js';
import { textFloor } from './text-floor.js';

/** Points of findings (S1-44 to S1-47). */
const POINTS = {
  eachReport: 5,
  mostForReports: 40,
  eachComplaint: 2,
  mostForComplaints: 20,
  domainHigh: 30,
  domainMedium: 15,
  phoneSuspicious: 25,
} as const;
/** Scores from which the risk is high and medium (S1-48). */
export const HIGH_FROM = 70;
export const MEDIUM_FROM = 40;
const LEVELS: readonly RiskLevel[] = ['low', 'medium', 'high'];
/** Lowest confidence that is stated for a low risk (S1-49). */
const LEAST_LOW_CONFIDENCE = 50;

export interface Contribution {
  id: string;
  points: number;
  text: string;
}

/**
 * Returns the verdict without a model: the points of all successful items are added (S1-40). With several
 * entities the sum may exceed 100; `answer.score` keeps it. The text itself may raise the level (T-22), which
 * `answer.floor` marks.
 */
export function heuristic(input: Pick<ReasonInput, 'brief' | 'evidence'>): DraftParts {
  const draft = byLookUps(input);
  const floor = textFloor(input);
  if (floor === null || LEVELS.indexOf(floor.riskLevel) <= LEVELS.indexOf(draft.answer.riskLevel))
    return draft;
  const evidenceUsed = [...new Set([floor.evidenceId, ...draft.evidenceUsed])];
  const { riskLevel, confidence } = floor;
  const findings = draft.claims.map(({ text, citations }) => `${text} [${citations.join(', ')}]`);
  const explanation = [
    floor.explanation,
    findings.length === 0 ? 'No look-up adds to it.' : `Look-ups add: ${findings.join('; ')}.`,
  ].join(' ');
  return {
    ...draft,
    answer: {
      ...draft.answer,
      riskLevel,
      confidence: Math.round(confidence * 100),
      explanation,
      evidenceUsed,
      floor: 'text_signals',
    },
    explanation,
    claims: [{ text: floor.explanation, citations: [floor.evidenceId] }, ...draft.claims],
    evidenceUsed,
    confidence,
  };
}

type ScoredDraft = DraftParts & { answer: { riskLevel: RiskLevel } };

function byLookUps({ evidence }: Pick<ReasonInput, 'evidence'>): ScoredDraft {
  const contributions = contributionsIn(evidence);
  const score = contributions.reduce((sum, { points }) => sum + points, 0);
  const riskLevel = scoreRiskLevel(score);
  const confidence = riskLevel === 'low' ? Math.max(100 - score, LEAST_LOW_CONFIDENCE) : Math.min(score, 100);
  const signs = signsSaid(evidence);
  const found = contributionExplanation(contributions, score, riskLevel, signs.length > 0);
  const explanation = [found, ...signs].join(' ');
  const evidenceUsed = contributions.map(({ id }) => id);
  return {
    answer: { riskLevel, confidence, explanation, evidenceUsed, score },
    explanation,
    claims: contributions.map(({ id, text }) => ({ text, citations: [id] })),
    evidenceUsed,
    confidence: confidence / 100,
    confidenceSource: 'heuristic',
    method: 'heuristic',
    remarks: [],
  };
}

function scoreRiskLevel(score: number): RiskLevel {
  if (score >= HIGH_FROM) return 'high';
  return score >= MEDIUM_FROM ? 'medium' : 'low';
}

/** Returns the findings that earn points, with the points and a clause for each (S1-44 to S1-47). */
export function contributionsIn({ items }: ReasonInput['evidence']): Contribution[] {
  return items.filter((item) => item.success).flatMap(evidenceItemContribution);
}

function evidenceItemContribution(item: EvidenceItem): Contribution[] {
  const about = inLine(item.entityValue, 120) || 'the text';
  const [points, text] = itemWeight(item, about);
  return points > 0 ? [{ id: item.id, points, text }] : [];
}

function itemWeight(item: EvidenceItem, about: string): [points: number, text: string] {
  const reading = evidenceItemReading(item);
  switch (reading.kind) {
    case 'reports': {
      const reports = reading.found ? reading.reportCount : 0;
      const points = Math.min(POINTS.eachReport * reports, POINTS.mostForReports);
      return [points, `the scam database holds ${reports} reports on ${about}`];
    }
    case 'complaints': {
      const count = reading.complaints.length;
      const points = Math.min(POINTS.eachComplaint * count, POINTS.mostForComplaints);
      return [
        points,
        `the web search found ${count} ${count === 1 ? 'complaint' : 'complaints'} about ${about}`,
      ];
    }
    case 'domain': {
      const points = { high: POINTS.domainHigh, medium: POINTS.domainMedium, low: 0 }[
        reading.riskLevel ?? 'low'
      ];
      return [
        points,
        `the domain ${about} has a ${reading.riskLevel} risk (${enginesText(reading.malicious)})`,
      ];
    }
    case 'phone': {
      const why = reading.reason === '' ? '' : `: ${inLine(reading.reason, 200)}`;
      return [
        reading.suspicious ? POINTS.phoneSuspicious : 0,
        `the phone number ${about} is suspicious${why}`,
      ];
    }
    // Signs in the text earn no points (S1-16). The decision rule uses them instead.
    case 'text':
    case 'mail':
    case 'other':
      return [0, ''];
  }
}

function contributionExplanation(
  contributions: Contribution[],
  score: number,
  riskLevel: RiskLevel,
  hasSigns: boolean,
): string {
  const total = `Risk score ${score}: ${riskLevel} risk.`;
  // Signs in the text are evidence too, so the sentence says that only the look-ups found nothing.
  const where = hasSigns ? 'by the look-ups' : 'in the evidence';
  if (contributions.length === 0) return `No strong indicator of a scam was found ${where}. ${total}`;
  const findings = contributions.map(({ id, points, text }) => `${text} (+${points}) [${id}]`);
  return `Rules applied to the evidence: ${findings.join('; ')}. ${total}`;
}

// Signs earn no points, so without this sentence a low score would seem to mean that there are none (S1-16).
function signsSaid({ items }: ReasonInput['evidence']): string[] {
  return items.flatMap((item) => {
    const signs = signalsFound(item)?.signals ?? [];
    if (signs.length === 0) return [];
    return [
      `The score is of look-ups alone; the text itself shows signs of a scam: ${signs.map(signInWords).join('; ')} [${item.id}].`,
    ];
  });
}
