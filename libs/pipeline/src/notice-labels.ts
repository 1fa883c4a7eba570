import languages from './notice-labels.json' with { type: 'json' };

/** Labels of the lines of a notice. */
export interface NoticeLabels {
  whom: string;
  since: string;
  why: string;
  quote: string;
  first: string;
  /** One word for the title of a message that the alert is resolved. */
  resolved: string;
  /** A sentence without a full stop: who reports that the alert is resolved. */
  over: string;
}

/** Labels by language (BCP 47, without region), with the fixed phrases of rules. */
export const NOTICE_LABELS: Readonly<
  Record<string, NoticeLabels & { phrases: Partial<Record<keyof typeof PHRASES, string>> }>
> = languages;

/** Fixed phrases of rules, as kinds write them into the parts of a notice. */
const PHRASES = {
  unknownCause: 'The cause is not known.',
  critical: 'The alert is critical.',
  harmless: 'The alert is not critical, and no look-up shows harm at this time.',
  unknownSeverity: 'The severity of the alert is not known, and no look-up shows harm at this time.',
  firing: 'still firing',
  openRunbook: 'Open the runbook: ',
  openPage: 'Open the page of the alert: ',
} as const;

/** Returns the text with the fixed phrases of rules in a language. @param code BCP 47, without region. */
export function translatePhrases(text: string, code: string): string {
  const own = (NOTICE_LABELS[code] ?? NOTICE_LABELS['en'])?.phrases ?? {};
  return Object.entries(PHRASES).reduce(
    (translated, [name, phrase]) => translated.replace(phrase, () => own[name as keyof typeof own] ?? phrase),
    text,
  );
}
