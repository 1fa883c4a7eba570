import PostalMime, { type Address, type Email } from 'postal-mime';
import { inLine } from '../plain-text.js';
import { readAttachments } from './attachments.js';
import { htmlAsText, isHtml } from './html-as-text.js';

/** A text as a person reads it, with notes for that person. */
export interface ReadableText {
  text: string;
  notes: string[];
  /** Image files that are attached to a mail. Their text is not part of `text`. */
  images: Uint8Array[];
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
const HEADER = /^([A-Za-z][A-Za-z0-9-]{0,60}):/;
/** Parts within parts, as in forwarded mails; UTF-16 units of headers; and lines that may begin a part. */
const LIMITS = { maxNestingDepth: 20, maxHeadersSize: HEAD };
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
 * returned unchanged, with a note. Attached texts, HTML pages and images are read within bounds; other
 * attachments are named in a note.
 */
export async function readMail(given: string): Promise<ReadableText> {
  const stored = given.trimStart().replace(MAILBOX_LINE, '');
  if (!isMail(stored))
    return { ...(isHtml(given) ? htmlAsText(given) : { text: given, notes: [] }), images: [] };
  if ((stored.match(/^--\S/gm) ?? []).length > MOST_PARTS)
    return undecodedText(given, 'it has too many parts');
  try {
    return asRead(await PostalMime.parse(stored, LIMITS));
  } catch (error) {
    return undecodedText(given, error instanceof Error ? error.message : String(error));
  }
}

function undecodedText(text: string, why: string): ReadableText {
  return { text, notes: [`The mail could not be decoded: ${inLine(why, 200)}.`], images: [] };
}

// If a mail has both forms, its program shows the HTML.
function asRead({ from, replyTo, subject, text = '', html, attachments }: Email): ReadableText {
  const body = html === undefined || html.trim() === '' ? { text, notes: [] } : htmlAsText(html);
  const answers = (replyTo ?? []).filter((address) => addressIn(address) !== addressIn(from));
  const head = [
    ...(from === undefined ? [] : [`From: ${inLine(addressName(from))}`]),
    ...(answers.length === 0 ? [] : [`Reply-To: ${inLine(answers.map(addressName).join(', '))}`]),
    ...(subject === undefined || subject === '' ? [] : [`Subject: ${inLine(subject)}`]),
  ];
  const attached = readAttachments(attachments);
  const parts = [head.join('\n'), body.text.trim(), attached.text];
  return {
    text: parts.filter((part) => part !== '').join('\n\n'),
    notes: [...body.notes, ...attached.notes],
    images: attached.images,
  };
}

function addressName(address: Address): string {
  const at = addressIn(address);
  return address.name === '' ? at : `${address.name} <${at}>`;
}

function addressIn(address: Address | undefined): string {
  return address?.address ?? '';
}
