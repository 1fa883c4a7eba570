import type { Brief, Draft, Evidence, EvidenceItem, Review } from '@casefile/contracts';
import { isContradiction } from '../parts/contradicting.js';
import { asksInOtherLanguages } from '../text-signals/asks-in-other-languages.js';
import { SCAM_FROM, weighText } from '../text-signals/weigh-text.js';
import { namesWithoutSource, reasonsAgainstDismissal, type ClearingOptions } from './against-dismissal.js';
import { evidenceOfText, knownOfText, namesToAct } from './text-reading.js';
import { evidenceItemReading, speaksForScam } from './tool-readings.js';

/** What a model concludes about a message. */
export type Conclusion = 'scam' | 'harmless';

/**
 * Relation of the record to a conclusion.
 * - `agrees`: the rules reach the same conclusion from the same record.
 * - `opposes`: the rules reach the other conclusion.
 * - `open`: the rules reach none, for example because they do not read the language.
 */
export type Stance = 'agrees' | 'open' | 'opposes';

/** Unit whose conclusion is judged. */
export interface Concluded {
  brief: Pick<Brief, 'text' | 'entities' | 'notes'>;
  evidence: Evidence;
  draft: Pick<Draft, 'method'>;
  review: Pick<Review, 'findings' | 'crossExamination'>;
}

/** Whether a conclusion has the proof that its verdict needs; `reasons`: sentences on what is missing. */
export interface Proof {
  holds: boolean;
  reasons: string[];
}

/** What `proofOf` requires of each conclusion, for the documentation. */
export const PROOF_NEEDED: Readonly<Record<Conclusion, string>> = {
  scam: 'Rules that call the message a scam, or a look-up that speaks for a scam. Otherwise a second model question that supports it, and something in the message to follow, call, pay or answer. Rules that read the message and find nothing stand against it.',
  harmless:
    'Rules that read the message and find no sign, with a source that clears each link and number. Otherwise a second model question that supports it. In a language that the rules do not read also a source that clears each link and number. Signs of a scam on the record stand against it.',
};

/**
 * Returns the relation of the record to a model's conclusion. A message that the rules cannot read leaves it open:
 * neither an accusation nor a dismissal rests on such rules (T-40).
 */
export function recordStance(
  conclusion: Conclusion,
  { brief, evidence, review }: Pick<Concluded, 'brief' | 'evidence' | 'review'>,
  options: ClearingOptions,
): Stance {
  const isDismissed = reasonsAgainstDismissal(brief, evidence, options).length === 0;
  if (conclusion === 'harmless') {
    if (review.findings.some(isContradiction)) return 'opposes';
    return isDismissed ? 'agrees' : 'open';
  }
  // Evidence that the sender supplied accuses nobody, but it is a reason to ask further.
  const own = { items: evidence.items.filter(({ given }) => given !== true) };
  if (own.items.some(speaksForScam) || isScamByText(own)) return 'agrees';
  const isOpen = evidence.items.some((item) => speaksForScam(item) || isWeak(item));
  return isDismissed && !isOpen ? 'opposes' : 'open';
}

/**
 * Returns whether a model's conclusion has the proof that acting on it or dismissing it needs (T-32, T-33). Rules that
 * agree are proof. If they reach no conclusion, a second model question has to support it, and the record needs a
 * fact that a program can check: for an accusation something that the receiver is asked for, for a dismissal in an
 * unread language that nothing uncleared is named. Conclusions of rules need no further proof.
 */
export function proofOf(conclusion: Conclusion, concluded: Concluded, options: ClearingOptions): Proof {
  const { brief, evidence, draft, review } = concluded;
  const holds: Proof = { holds: true, reasons: [] };
  if (draft.method !== 'llm') return holds;
  const stance = recordStance(conclusion, concluded, options);
  if (stance === 'agrees') return holds;
  const fails = (reason: string): Proof => ({ holds: false, reasons: [reason] });
  if (stance === 'opposes')
    return conclusion === 'scam'
      ? fails(
          'A language model calls the message a scam, but the rules read it and find no sign of one, and no look-up speaks for it.',
        )
      : { holds: false, reasons: [] };
  const { crossExamination } = review;
  const isSupported =
    crossExamination !== undefined &&
    crossExamination.failed === null &&
    crossExamination.claims.length > 0 &&
    crossExamination.claims.every(({ answer }) => answer === 'supports');
  if (!isSupported) return fails(NOT_CONFIRMED[conclusion]);
  if (conclusion === 'scam')
    return asksForSomething(brief, evidence)
      ? holds
      : fails(
          'A second model question agrees that the message is a scam, but the message shows no request, link, number or account that a program can find.',
        );
  if (evidenceOfText(evidence)?.found.isRead === true) return holds;
  const names = namesWithoutSource(brief, evidence, options);
  return names === null
    ? holds
    : fails(
        `The rules do not read the language of the message, and no source has cleared what it names: ${names}.`,
      );
}

const NOT_CONFIRMED: Readonly<Record<Conclusion, string>> = {
  scam: 'A language model calls the message a scam. Neither the rules nor a second model question confirmed this.',
  harmless:
    'A language model calls the message harmless. Neither the rules nor a second model question confirmed this.',
};

/** Returns whether a look-up speaks for a scam a little: complaints, or a domain of medium risk. */
function isWeak(item: EvidenceItem): boolean {
  if (!item.success) return false;
  const reading = evidenceItemReading(item);
  return (
    (reading.kind === 'domain' && reading.riskLevel === 'medium') ||
    (reading.kind === 'complaints' && reading.complaints.length > 0)
  );
}

function isScamByText(evidence: Evidence): boolean {
  const text = evidenceOfText(evidence);
  if (text === null || !text.found.isRead) return false;
  return weighText(text.found, knownOfText(text.found, evidence)).weight >= SCAM_FROM;
}

function asksForSomething(brief: Concluded['brief'], evidence: Evidence): boolean {
  return (
    namesToAct(brief).length > 0 ||
    (brief.entities['email'] ?? []).length > 0 ||
    (evidenceOfText(evidence)?.found.signals.length ?? 0) > 0 ||
    asksInOtherLanguages(brief.text).length > 0
  );
}
