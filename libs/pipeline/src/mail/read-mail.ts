import type { MailReading } from '@casefile/contracts';
import PostalMime, { type Address, type Attachment, type Email } from 'postal-mime';
import { inLine } from '../plain-text.js';
import { readAttachments } from './attachments.js';
import { htmlAsText, isHtml, WITHOUT_HTML, type HtmlText } from './html-as-text.js';
import { mailFacts } from './mail-facts.js';

/** A text as a person reads it, with notes for that person. */
export interface ReadableText {
  text: string;
  notes: string[];
  /** Image files that are attached to a mail. Their text is not part of `text`. */
  images: Uint8Array[];
  /** Facts about the mail; null: the text is no mail. */
  mail: MailReading | null;
}

/** UTF-16 units of a text that are searched for headers. */
const HEAD = 64_000;
/** Headers that programs write and that a pasted text does not have. */
const BY_PROGRAMS = new Set([
  'mime-version',
  'content-type',
  'message-id',
  'received',
  'return-path',
  'delivered-to',
]);
const BY_PEOPLE = new Set(['from', 'to', 'subject', 'date']);
/** The line before each mail of a mailbox file. */
const MAILBOX_LINE = /^From [^\r\n]*\r?\n/;
/** RFC 5322 allows every printable character but the colon. Mail servers write names of 65 characters. */
const HEADER = /^([A-Za-z][\x21-\x39\x3b-\x7e]{0,200}):/;
/** Parts within parts, as in forwarded mails; UTF-16 units of headers; and lines that may begin a part. */
const LIMITS = { maxNestingDepth: 20, maxHeadersSize: HEAD, maxRfc822NestingDepth: 0 };
/** The line before an encoded file, and its lines: a letter for the length, then signs without lower-case letters. */
const ENCODED_FILE = /^begin [0-7]{3,4} ([^\r\n]{1,100})\r?$/;
const ENCODED_LINE = /^[\x20-\x60]{1,62}\r?$/;
/** Maximum depth of mails in mails that are read, and number of mails that are attached to one mail. */
const MOST_INNER = { depth: 3, mails: 3 } as const;
const MOST_PARTS = 500;

/**
 * Returns whether a text is a mail as mail programs store it (RFC 5322): headers of people and of programs,
 * then an empty line.
 */
export function isMail(text: string): boolean {
  const names = new Set<string>();
  for (const line of text.slice(0, HEAD).split(/\r?\n/)) {
    if (line === '') break;
    const [, name] = HEADER.exec(line) ?? [];
    if (name !== undefined) names.add(name.toLowerCase());
    else if (!/^[ \t]/.test(line)) return false;
  }
  return [...names].some((name) => BY_PROGRAMS.has(name)) && [...names].some((name) => BY_PEOPLE.has(name));
}

/**
 * Decodes a mail or HTML. Any other text is returned unchanged. A mail that cannot be decoded is also
 * returned unchanged, with a note. Attached mails, texts, HTML pages and images are read within bounds; other
 * attachments are named in a note.
 */
export async function readMail(source: string): Promise<ReadableText> {
  const stored = source.trimStart().replace(MAILBOX_LINE, '');
  if (!isMail(stored)) return { ...plainReading(source), images: [], mail: null };
  if ((stored.match(/^--\S/gm) ?? []).length > MOST_PARTS)
    return undecodedText(source, 'it has too many parts');
  try {
    return await asRead(await PostalMime.parse(stored, LIMITS), 0);
  } catch (error) {
    return undecodedText(source, error instanceof Error ? error.message : String(error));
  }
}

function plainReading(source: string): Pick<ReadableText, 'text' | 'notes'> {
  if (!isHtml(source)) return { text: source, notes: [] };
  const { text, notes } = htmlAsText(source);
  return { text, notes };
}

function undecodedText(text: string, why: string): ReadableText {
  return { text, notes: [`The mail could not be decoded: ${inLine(why, 200)}.`], images: [], mail: null };
}

// If a mail has both forms, its program shows the HTML.
async function asRead(email: Email, depth: number): Promise<ReadableText> {
  const { from, replyTo, subject, text = '', html } = email;
  const isPage = html !== undefined && html.trim() !== '';
  const body: HtmlText = isPage ? htmlAsText(html) : { ...WITHOUT_HTML, text: withoutEncodedFiles(text) };
  const answers = (replyTo ?? []).filter((address) => addressIn(address) !== addressIn(from));
  const head = [
    ...(from === undefined ? [] : [`From: ${inLine(addressName(from))}`]),
    ...(answers.length === 0 ? [] : [`Reply-To: ${inLine(answers.map(addressName).join(', '))}`]),
    ...(subject === undefined || subject === '' ? [] : [`Subject: ${inLine(subject)}`]),
  ];
  const mails =
    depth < MOST_INNER.depth ? email.attachments.filter(isAttachedMail).slice(0, MOST_INNER.mails) : [];
  const attached = readAttachments(email.attachments.filter((one) => !mails.includes(one)));
  const parsed = await Promise.all(
    mails.map(({ content }) => PostalMime.parse(content as ArrayBuffer, LIMITS)),
  );
  const inner = await Promise.all(parsed.map((one) => asRead(one, depth + 1)));
  const parts = [
    head.join('\n'),
    body.text.trim(),
    attached.text,
    ...inner.map((one) => `Attached mail:\n${one.text}`),
  ];
  const facts = mailFacts({
    email,
    text: body.text,
    pages: [{ place: 'body', page: body }, ...attached.pages],
    body: isPage
      ? { isPicture: body.isPicture, hiddenLetters: body.hiddenLetters, hasTagsLeft: body.hasTagsLeft }
      : null,
    attached: parsed[0] ?? null,
  });
  return {
    text: parts.filter((part) => part !== '').join('\n\n'),
    notes: [...body.notes, ...attached.notes, ...inner.flatMap(({ notes }) => notes)],
    images: [...attached.images, ...inner.flatMap(({ images }) => images)],
    mail: withInner(
      facts,
      inner.flatMap(({ mail }) => mail ?? []),
    ),
  };
}

const isAttachedMail = ({ mimeType, content }: Attachment) =>
  mimeType === 'message/rfc822' && typeof content !== 'string';

/** Replaces files that old mail programs write into the text (uuencode) by their names: their letters are no words. */
function withoutEncodedFiles(text: string): string {
  const lines = text.split('\n');
  const kept: string[] = [];
  for (let i = 0; i < lines.length; i += 1) {
    const [, name] = ENCODED_FILE.exec(lines[i] ?? '') ?? [];
    kept.push(name === undefined ? (lines[i] ?? '') : `[file ${name}]`);
    if (name !== undefined) while (i + 1 < lines.length && ENCODED_LINE.test(lines[i + 1] ?? '')) i += 1;
  }
  return kept.join('\n');
}

/** Adds what attached mails lead to and contain to the facts about a mail. Their headers count only if it asks about them. */
function withInner(mail: MailReading, inner: readonly MailReading[]): MailReading {
  return {
    ...mail,
    links: [...mail.links, ...inner.flatMap(({ links }) => links)],
    forms: [...mail.forms, ...inner.flatMap(({ forms }) => forms)],
    attachments: [...mail.attachments, ...inner.flatMap(({ attachments }) => attachments)],
  };
}

function addressName(address: Address): string {
  const at = addressIn(address);
  return address.name === '' ? at : `${address.name} <${at}>`;
}

function addressIn(address: Address | undefined): string {
  return address?.address ?? '';
}
