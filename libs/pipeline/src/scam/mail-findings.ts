import { z, type Brief, type Evidence, type EvidenceItem, type ToolRequest } from '@casefile/contracts';
import { inLine, plainText } from '../plain-text.js';
import names from './mail-sign-names.json' with { type: 'json' };

export const MAIL_HEADERS = 'mail_headers';
/** UTF-16 units of a text that the tool gets. */
const GIVEN = 24_000;
/** Maximum number of signs that a sentence names, and of values per sign. */
const NAMED = 5;
const QUOTED = 2;
/** Words of requests that ask for nothing by themselves. */
const CIRCUMSTANCES = new Set(['asks_deadline', 'asks_trouble']);
/** Finding that the visible sender was authenticated, and the sign of text that its reader does not see. */
const PROVEN = 'dmarc_pass';
const HIDDEN = 'hidden_text';
/** Total weight of the signs from which a mail is not dismissed. */
const COUNTS_FROM = 1;
/** Sites of which nearly every newsletter has a link to a page of its sender. */
const SOCIAL =
  'facebook.com instagram.com youtube.com linkedin.com twitter.com x.com pinterest.com tiktok.com apple.com'.split(
    ' ',
  );

const signs = z
  .array(
    z.object({ kind: z.string(), weight: z.number().nonnegative(), words: z.array(z.string()).default([]) }),
  )
  .default([]);
const findingsSchema = z.object({
  form: z.enum(['newsletter', 'discussion', 'reply', 'forwarded', 'mail']).catch('mail'),
  authentication: z
    .discriminatedUnion('checked', [
      z.object({ checked: z.literal(false), why: z.string() }),
      z.object({
        checked: z.literal(true),
        server: z.string(),
        methods: z.array(z.object({ method: z.string(), result: z.string(), domain: z.string() })),
      }),
    ])
    .catch({ checked: false, why: 'the result cannot be read' }),
  signals: signs,
  legitimacy: signs,
  weight: z.number().nonnegative().catch(0),
  ownDomains: z.array(z.string()).default([]),
  citesLinks: z.boolean().catch(false),
  isLong: z.boolean().catch(true),
  isLetter: z.boolean().catch(false),
  isRead: z.boolean().catch(false),
  requests: signs,
});
/** Findings of the tool in a mail. */
export type FoundInMail = z.infer<typeof findingsSchema>;
type Sign = FoundInMail['signals'][number];

/** Returns the request that reads the headers of a mail; empty if the brief is of another text. */
export function readMailRequest({
  mail,
  text,
  language,
}: Pick<Brief, 'mail' | 'text' | 'language'>): ToolRequest[] {
  if (mail === undefined) return [];
  const args = { mail, text: plainText(text.slice(0, GIVEN)), language: language?.code ?? 'und' };
  return [{ tool: MAIL_HEADERS, args }];
}

/** Returns the findings of a successful item of the tool; null for another tool or format. */
export function mailFindings({ toolName, success, result }: EvidenceItem): FoundInMail | null {
  if (toolName !== MAIL_HEADERS || !success) return null;
  return findingsSchema.safeParse(result).data ?? null;
}

/** Returns our own reading of the headers; null: the text is no mail, or the sender of the alert supplied the reading. */
export function evidenceOfMail({ items }: Evidence): { id: string; found: FoundInMail } | null {
  const [mail] = items.flatMap((item) => {
    const findings = item.given === true ? null : mailFindings(item);
    return findings === null ? [] : [{ id: item.id, found: findings }];
  });
  return mail ?? null;
}

/** Returns the reasons in the headers of a mail against dismissing it, as sentences. */
export function reasonsInMail(evidence: Evidence): string[] {
  const mailSigns = evidenceOfMail(evidence)?.found.signals ?? [];
  return !isSuspicious(mailSigns)
    ? []
    : [`The mail shows signs of a scam besides its words: ${signList(mailSigns)}.`];
}

/**
 * Returns whether a mail whose language `text_signals` does not read may be dismissed: the rules know the words for
 * requests in its language, it has none of them, and it is a newsletter, the answer to a mail, or a letter.
 */
export function isHarmlessForm(evidence: Evidence): boolean {
  const findings = evidenceOfMail(evidence)?.found;
  if (
    findings === undefined ||
    !findings.isRead ||
    findings.signals.some(({ weight }) => weight >= COUNTS_FROM)
  )
    return false;
  const isNewsletter = findings.ownDomains.length > 0 && !isConcealing(findings);
  return findings.requests.length === 0 && (isNewsletter || findings.form === 'reply' || findings.isLetter);
}

/**
 * Returns whether a mail only informs or discusses: it is a newsletter, a mail of a list or an answer, shows no sign
 * besides its words, requests nothing that endangers its reader, and cites its links.
 */
export function isCalmMail(evidence: Evidence): boolean {
  const findings = evidenceOfMail(evidence)?.found;
  return findings !== undefined && isCalm(findings);
}

/** Returns whether a mail is a long newsletter, so that single words say little. */
export function isLongNewsletter(evidence: Evidence): boolean {
  const findings = evidenceOfMail(evidence)?.found;
  return findings?.form === 'newsletter' && findings.isLong;
}

/** Returns whether the findings are those of a calm mail. */
export function isCalm(findings: FoundInMail): boolean {
  return (
    findings.citesLinks &&
    findings.isRead &&
    !isSuspicious(findings.signals) &&
    !isConcealing(findings) &&
    findings.requests.every(({ kind }) => CIRCUMSTANCES.has(kind))
  );
}

/**
 * Returns the domains of a newsletter that need no source: those that send it, if it shows no sign and requests
 * nothing that endangers its reader. Empty: it is no newsletter, or every link needs a source.
 */
export function newsletterDomains(evidence: Evidence): string[] {
  const findings = evidenceOfMail(evidence)?.found;
  if (findings === undefined || isSuspicious(findings.signals) || isConcealing(findings)) return [];
  if (findings.requests.length > 0) return [];
  return findings.ownDomains.length === 0 ? [] : [...findings.ownDomains, ...SOCIAL];
}

/** Returns whether a trusted server found that a mail comes from its visible sender. */
const isProven = ({ legitimacy }: FoundInMail) => legitimacy.some(({ kind }) => kind === PROVEN);

/** Returns whether a mail of an unproven sender has much text that its reader does not see. */
const isConcealing = (findings: FoundInMail) =>
  !isProven(findings) && findings.signals.some(({ kind }) => kind === HIDDEN);

function isSuspicious(mailSigns: readonly Sign[]): boolean {
  return mailSigns.reduce((sum, { weight }) => sum + weight, 0) >= COUNTS_FROM;
}

/** Returns the findings as one line. */
export function mailFindingsInWords({
  form,
  authentication,
  signals,
  legitimacy,
  requests,
}: FoundInMail): string {
  return [
    FORMS[form],
    authenticationInWords(authentication),
    signals.length === 0 ? 'no sign of a scam besides the words' : `signs: ${signList(signals)}`,
    ...(legitimacy.length === 0 ? [] : [`for the sender: ${signList(legitimacy)}`]),
    ...(requests.length === 0 ? [] : [`words of requests: ${signList(requests)}`]),
  ].join('. ');
}

/** Returns the findings in a mail as sentences for people; empty: the text is no mail, or there is nothing to report. */
export function mailInSentences(evidence: Evidence): string[] {
  const mail = evidenceOfMail(evidence);
  if (mail === null) return [];
  const { signals, legitimacy, authentication } = mail.found;
  const shown = authenticationInWords(authentication);
  return [
    ...(signals.length === 0
      ? []
      : [`Besides its words, the mail shows: ${signList(signals)} [${mail.id}].`]),
    ...(legitimacy.length === 0 ? [] : [`For its sender speaks: ${signList(legitimacy)} [${mail.id}].`]),
    `${shown[0]?.toUpperCase() ?? ''}${shown.slice(1)} [${mail.id}].`,
  ];
}

const FORMS: Record<FoundInMail['form'], string> = {
  newsletter: 'newsletter',
  discussion: 'mail to the members of a list',
  reply: 'mail that answers another one',
  forwarded: 'a question about a forwarded mail',
  mail: 'single mail',
};

/** Returns the authentication in words, such as `authentication not checked: ...`. */
export function authenticationInWords(authentication: FoundInMail['authentication']): string {
  if (!authentication.checked) return `authentication not checked: ${inLine(authentication.why, 200)}`;
  const results = authentication.methods.map(({ method, result, domain }) =>
    inLine(`${method}=${result}${domain === '' ? '' : ` (${domain})`}`, 120),
  );
  return `authentication by ${inLine(authentication.server, 120)}: ${results.slice(0, 10).join(', ') || 'no results'}`;
}

/** Returns a sign in words, with the values that show it. */
export function mailSignInWords({ kind, words }: Pick<Sign, 'kind' | 'words'>): string {
  const known: Record<string, string> = names;
  const said = Object.hasOwn(known, kind) ? known[kind] : inLine(kind.replaceAll('_', ' '), 60);
  const quoted = words.slice(0, QUOTED).map((word) => `"${inLine(word, 100)}"`);
  return quoted.length === 0 ? String(said) : `${said} (${quoted.join(', ')})`;
}

function signList(mailSigns: readonly Sign[]): string {
  const more = mailSigns.length > NAMED ? ` and ${mailSigns.length - NAMED} more` : '';
  return `${mailSigns.slice(0, NAMED).map(mailSignInWords).join('; ')}${more}`;
}
