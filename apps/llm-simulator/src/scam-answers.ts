import type { Answer } from './answer.js';
import {
  evidenceLines,
  fencedAfter,
  outsideText,
  withoutEvidence,
  type EvidenceLine,
} from '@casefile/kit/demonstration/outside-text';
import { questionText, type Question } from '@casefile/kit/demonstration/question';

// Answers whether a message is a scam, by simple rules.

export interface SimulatedVerdict {
  riskLevel: 'low' | 'medium' | 'high';
  confidence: number;
  explanation: string;
  evidenceUsed: string[];
}

/** Words that are frequent in scams, in English and Hindi. */
const CUES =
  'urgent|immediately|within 24 hours|suspended|blocked|verify your|otp|one-time|pin code|gift card|bitcoin|crypto|wire transfer|western union|guaranteed|double your|lottery|prize|winner|inheritance|customs fee|delivery fee|redelivery|unpaid|arrest|warrant|tax refund|remote access|anydesk|teamviewer|virus detected|click here|click the link|click below|confidential|investment opportunity|work from home|registration fee|processing fee|advance payment|stranded|send money|तुरंत|ओटीपी|खाता|केवाईसी|इनाम|लॉटरी|लिंक पर क्लिक'.split(
    '|',
  );
const POINTS_A_CUE = 12;
const MOST_CUE_POINTS = 48;
const HIGH_FROM = 60;
const MEDIUM_FROM = 25;

const READ_TEXT = /^\W{0,3}text_signals: (?!the tool failed)/;
const POINTS_A_SIGN = 15;
const MOST_SIGN_POINTS = 75;
const GAP =
  /\b(fail|failed|failure|not configured|not available|unavailable|timed? ?out|no answer|could not|error|gap)\b/i;
const NOT_FOUND =
  /\b(not found|no (reports?|results?|complaints?|record)|not suspicious|low risk|risk\W{0,3}low)\b/i;

/**
 * Returns a verdict by simple rules: cue words in the outside text, and the evidence lines of the prompt. The
 * same prompt always gets the same verdict. The explanation contains no numbers, because it could not cite a
 * source for them.
 */
export function simulateVerdict(prompt: string): SimulatedVerdict {
  const lines = evidenceLines(prompt);
  // If rules have already read the text, their signs replace the simulator's own cue words.
  const isRead = lines.some(({ text }) => READ_TEXT.test(text));
  const cues = isRead ? [] : cuesIn(withoutEvidence(outsideText(prompt)));
  const telling = lines
    .map((line) => ({ ...line, points: evidenceLinePoints(line) }))
    .filter((line) => line.points > 0);
  const evidencePoints = telling.reduce((sum, line) => sum + line.points, 0);
  const points = Math.min(cues.length * POINTS_A_CUE, MOST_CUE_POINTS) + evidencePoints;
  const riskLevel = points >= HIGH_FROM ? 'high' : points >= MEDIUM_FROM ? 'medium' : 'low';
  const evidenceUsed = [...new Set(telling.map((line) => line.id))];
  const confidence = riskLevel === 'low' ? 90 - points : Math.min(50 + Math.round(points / 2), 97);
  return { riskLevel, confidence, explanation: explain(riskLevel, cues, evidenceUsed), evidenceUsed };
}

/** Returns the scam words that occur in a text. */
function cuesIn(text: string): string[] {
  const lower = text.toLowerCase();
  return CUES.filter((cue) => lower.includes(cue));
}

/**
 * Returns the number of scam signs that an evidence line names. A similar known pattern counts as one more
 * sign.
 */
function signsIn(text: string): number {
  const [, signs] =
    /signs of a scam in the text itself: (.*?)(?:\. (?:for the sender|weak or|close to)|$)/s.exec(text) ?? [];
  const bare = (signs ?? '').replace(/"[^"]*"/g, '');
  const count = bare.trim() === '' ? 0 : bare.split(';').length;
  return count + (/close to known scam patterns/.test(text) ? 1 : 0);
}

/**
 * Returns the points of a line. They follow the reliability order of the prompt: reports, domain, phone, web.
 */
function evidenceLinePoints({ text }: EvidenceLine): number {
  if (READ_TEXT.test(text)) return Math.min(signsIn(text) * POINTS_A_SIGN, MOST_SIGN_POINTS);
  if (GAP.test(text) || NOT_FOUND.test(text)) return 0;
  const reports = textFigure(text, /(?<!\d)(\d+)\s+(?:scam\s+)?reports?\b|report(?:s|_?count)\W{0,3}(\d+)/i);
  const complaints = textFigure(
    text,
    /(?<!\d)(\d+)\s+(?:web\s+|search\s+)?(?:complaints?|results?|mentions?)\b/i,
  );
  const [, risk] = /risk(?:\s*level)?\W{0,3}(high|medium)|(?=(?:high|medium)[- ]risk)/i.exec(text) ?? [];
  const level = (risk ?? /\b(high|medium)[- ]risk/i.exec(text)?.[1] ?? '').toLowerCase();
  const domain = level === 'high' ? 30 : level === 'medium' ? 15 : 0;
  const phone = /\bsuspicious\b/i.test(text) ? 25 : 0;
  return Math.min(5 * reports, 40) + Math.min(2 * complaints, 20) + domain + phone;
}

function textFigure(text: string, pattern: RegExp): number {
  const [, before, after] = pattern.exec(text) ?? [];
  return Math.min(Number(before ?? after ?? 0), 1_000_000);
}

function explain(riskLevel: string, cues: string[], evidence: string[]): string {
  const words = cues.filter((cue) => !/\d/.test(cue)).slice(0, 5);
  const cueText =
    words.length === 0 ? 'the text has few of the words of scams' : `the text says ${words.join(', ')}`;
  const evidenceText =
    evidence.length === 0 ? 'no evidence speaks against it' : `${evidence.join(', ')} speak against it`;
  return `Simulated answer, made by rules and not by a language model: ${cueText}; ${evidenceText}; the risk is ${riskLevel}.`;
}

const CONFIDENCE = { none: 0.75, each: 0.12, high: 0.15, medium: 0.1, least: 0.3, most: 0.97 } as const;
const MATCH = /^(\d+)\. similarity [\d.]+ \((HIGH|MEDIUM)\); category (\S+);/gm;

/** Returns whether the prompt asks for the answer of `message-screening`. */
export function asksForScreening(question: Question): boolean {
  const isInSchema = JSON.stringify(question.schema ?? {}).includes('"matchedPatterns"');
  return isInSchema || questionText(question, 'system', 'user').includes('matchedPatterns');
}

/** Answers by simple rules: cue words in the message, and the levels of the known patterns in the prompt. */
export function answerScreening(question: Question): Answer {
  const prompt = questionText(question, 'user');
  const [message = ''] = prompt.split(/\nKnown scam patterns/, 1);
  // If rules have already read the message, their signs replace the simulator's own cue words.
  const read = fencedAfter(prompt, 'What rules found in its words');
  const signs = signsIn(read ?? '');
  const cues = read === undefined ? cuesIn(outsideText(message)) : [];
  const signCount = cues.length + signs;
  const matches = [...prompt.matchAll(MATCH)].map(([, number, level, category]) => ({
    number: Number(number),
    level,
    category: category ?? 'other',
  }));
  const [first] = matches;
  const like = first === undefined ? 0 : first.level === 'HIGH' ? CONFIDENCE.high : CONFIDENCE.medium;
  const isScam = signCount >= 2 || (signCount === 1 && first !== undefined);
  const weight = CONFIDENCE.least + CONFIDENCE.each * signCount + like;
  const content = {
    isScam,
    confidence: isScam ? Math.min(Math.round(weight * 100) / 100, CONFIDENCE.most) : CONFIDENCE.none,
    primaryCategory: isScam ? (first?.category ?? 'other') : null,
    reasoning: `Simulated answer, made by rules and not by a language model: the message ${cues.length === 0 ? 'has none of the words of scams' : `says ${cues.slice(0, 5).join(', ')}`}; signs that rules found: ${signs}.`,
    matchedPatterns: isScam ? matches.map(({ number }) => number) : [],
    redFlags: [
      ...cues.map((cue) => `says "${cue}"`),
      ...Array.from({ length: signs }, (_, i) => `sign ${i + 1} that rules found`),
    ],
    legitimacyIndicators: isScam ? [] : ['few words of scams'],
  };
  const reasoning = 'Simulated reasoning: cue words and known patterns were weighed.';
  return { content: JSON.stringify(content), reasoning };
}
