import type { JsonObject } from '@casefile/contracts';
import type { DishonestMessage, HonestMessage } from './read-set.js';
import { replyWith, type LabelledClaim, type LiveResult, type TrustCase } from './trust-case.js';

type Evidence = HonestMessage['evidence'];
interface Messages {
  dishonest: readonly DishonestMessage[];
  honest: readonly HonestMessage[];
}
interface Answer {
  isScam: boolean;
  why: string;
  flags: string[];
  signs: string[];
  category: string | null;
}
type Common = Pick<
  TrustCase,
  'id' | 'honest' | 'contradicted' | 'printable' | 'conclusion' | 'expected' | 'claims'
>;

/** Returns answers about messages, for the kind that rates them and the kind that screens them. */
export function messageCases({ dishonest, honest }: Messages): TrustCase[] {
  return [...dishonest.flatMap(wrongCases), ...honest.flatMap(honestCases)];
}

function wrongCases(message: DishonestMessage): TrustCase[] {
  return message.wrong.flatMap(({ why, against, contradicted }, place) => {
    const label = against === '' ? ('not_in_it' as const) : ('contradicts' as const);
    const common: Common = {
      id: `${message.id}-${place + 1}`,
      honest: false,
      contradicted,
      printable: true,
      conclusion: why,
      expected: [],
      claims: [claimOf(why, label, against)],
    };
    const answer = { isScam: false, why, flags: [], signs: ['nothing unusual'], category: null };
    return bothKinds(message, common, answer);
  });
}

function honestCases(message: HonestMessage): TrustCase[] {
  const { isScam, why, flags, signs, category = null } = message;
  const common: Common = {
    id: message.id,
    honest: true,
    contradicted: false,
    printable: !message.unseen,
    conclusion: why,
    expected: isScam ? ['act'] : ['dismiss'],
    claims: [claimOf(why, 'supports', '')],
  };
  return bothKinds(message, common, { isScam, why, flags, signs, category });
}

const claimOf = (text: string, label: LabelledClaim['label'], quote: string): LabelledClaim => ({
  text,
  label,
  quote,
});

function bothKinds(
  { text, evidence, language }: { text: string; evidence: Evidence; language: string },
  common: Common,
  { isScam, why, flags, signs, category }: Answer,
): TrustCase[] {
  const cited = evidence.map((_, place) => `E${place + 1}`);
  const labels = { language, case: common.id };
  return [
    {
      ...common,
      kind: 'scam-verdict',
      wrongWay: 'dismiss',
      alert: { playbook: 'scam-verdict', text, labels },
      results: resultsOf(evidence),
      reply: () =>
        replyWith({
          riskLevel: isScam ? 'high' : 'low',
          confidence: 92,
          explanation: why,
          evidenceUsed: cited,
        }),
    },
    {
      ...common,
      kind: 'message-screening',
      wrongWay: 'dismiss',
      // Message screening calls no outside tool about a message.
      ...withoutLookUps(common, evidence),
      alert: { playbook: 'message-screening', text, labels },
      results: {},
      reply: () =>
        replyWith({
          isScam,
          confidence: 0.92,
          primaryCategory: category,
          reasoning: why,
          matchedPatterns: [],
          redFlags: flags,
          legitimacyIndicators: signs,
        }),
    },
  ];
}

// A kind without look-ups has no evidence on its record, so a contradiction in the evidence does not count.
function withoutLookUps({ claims, honest }: Common, evidence: Evidence): Partial<Common> {
  const evidenceText = JSON.stringify(evidence);
  const [claim] = claims;
  if (honest || claim === undefined || claim.quote === '' || !evidenceText.includes(claim.quote)) return {};
  return { claims: [{ ...claim, label: 'not_in_it', quote: '' }] };
}

function resultsOf(evidence: Evidence): TrustCase['results'] {
  const results: Record<string, LiveResult[]> = {};
  for (const [tool, , value, result] of evidence)
    (results[tool] ??= []).push({ subject: value, result: result as JsonObject | null });
  return results;
}
