import { fieldProblems, type EvidenceItem, type ReadAnswer } from '@casefile/contracts';
import { plainText } from '../../plain-text.js';
import type { DraftParts, ReasonInput } from '../../strategy.js';
import { jsonInAnswer } from '../../json-in-answer.js';
import { DEFAULT_CONFIDENCE, scamAnswerSchema, type ScamAnswer } from './scam-answer.js';

/** Longest id that is kept of what a model names as evidence. */
const ID_LENGTH = 100;

/** Reads an answer of a model into a draft, or says in a sentence what is wrong with it. S1-23, S1-24. */
export function readAnswer(content: string, input: ReasonInput): ReadAnswer<DraftParts> {
  const found = jsonInAnswer(content);
  if (found === null) return { problem: 'The answer holds no JSON object.' };
  const parsed = scamAnswerSchema.safeParse(found);
  if (parsed.success) return { value: draftOf(parsed.data, input.evidence.items) };
  const problems = fieldProblems(parsed.error).map(({ path, message }) => `${path || 'answer'}: ${message}`);
  return { problem: `The answer does not have the asked shape: ${problems.slice(0, 5).join('; ')}.` };
}

function draftOf(answer: ScamAnswer, items: EvidenceItem[]): DraftParts {
  const { confidence, remarks } = confidenceOf(answer.confidence);
  const explanation = plainText(answer.explanation.trim());
  const evidenceUsed = idsOf(answer.evidenceUsed ?? [], items);
  const known = new Set(items.map((item) => item.id));
  return {
    answer: { riskLevel: answer.riskLevel, confidence, explanation, evidenceUsed },
    explanation,
    claims: [{ text: explanation, citations: evidenceUsed.filter((id) => known.has(id)) }],
    evidenceUsed,
    confidence: confidence / 100,
    confidenceSource: 'llm',
    method: 'llm',
    remarks: answer.evidenceUsed == null ? [...remarks, 'evidence_used_missing'] : remarks,
  };
}

function confidenceOf(given: number | undefined): { confidence: number; remarks: string[] } {
  if (given === undefined) return { confidence: DEFAULT_CONFIDENCE, remarks: ['confidence_missing'] };
  const confidence = Math.min(Math.max(given, 0), 100);
  return { confidence, remarks: confidence === given ? [] : ['confidence_clamped'] };
}

// A tool's name stands for all its items. An id that is not known stays: the critic looks at it.
function idsOf(named: string[], items: EvidenceItem[]): string[] {
  const ids = named.map(bareId).flatMap((name) => {
    const same = (other: string) => other.toLowerCase() === name.toLowerCase();
    const meant = items.find((item) => same(item.id));
    if (meant !== undefined) return [meant.id];
    const ofTool = items.filter((item) => same(item.toolName));
    return ofTool.length > 0 ? ofTool.map((item) => item.id) : [name];
  });
  return [...new Set(ids)].filter((id) => id !== '');
}

function bareId(name: string): string {
  return plainText(name.slice(0, ID_LENGTH)).trim().replace(/^\[/, '').replace(/\]$/, '').trim();
}
