import type { AttachmentSort, MailAddress, MailEnvelope, MailReading } from '@casefile/contracts';
import type { Address, Attachment, Email } from 'postal-mime';
import { find } from '../entities/links.js';
import { inLine } from '../plain-text.js';
import { ANSWERS, headerName, OTHERS, RECEIVERS, SENDER } from './header-lines.js';
import type { HtmlText } from './html-as-text.js';

/** Maximum numbers of values that are kept of one mail, and lengths of a value. */
const MOST = { addresses: 20, unsubscribe: 5, results: 10, links: 100, attachments: 20 } as const;
const LENGTH = { name: 200, result: 8_000 } as const;
/** UTF-16 units of the text that are searched for a forwarded mail and for links. */
const READ = 50_000;
/** Maximum length of a text above a forwarded mail that only asks about it. */
const QUESTION_LENGTH = 300;

/** Sorts of attachments by the last extension of the name. */
const EXTENSIONS: Readonly<Record<Exclude<AttachmentSort, 'other'>, string>> = {
  program:
    'exe com scr pif bat cmd ps1 vbs vbe js jse wsf wsh hta msi msp jar lnk iso img vhd vhdx apk dmg pkg app reg cpl dll chm url desktop',
  page: 'htm html shtml xhtml mht mhtml svg xht',
  macros: 'docm dotm xlsm xltm xlam xlsb pptm potm ppam sldm one xll',
  archive: 'zip rar 7z gz tgz bz2 xz tar cab ace arj z lzh uue',
  document: 'pdf doc docx odt rtf xls xlsx ods csv ppt pptx odp pages numbers ics vcf',
  image: 'png jpg jpeg gif webp bmp tif tiff heic',
  text: 'txt md log eml msg',
};
const SORT_OF = new Map(
  (Object.entries(EXTENSIONS) as [AttachmentSort, string][]).flatMap(([sort, list]) =>
    list.split(' ').map((extension) => [extension, sort] as const),
  ),
);

/** Beginnings of the subject of a forwarded mail in the languages of mail programs. */
const FORWARDS = /^\s{0,9}(?:fwd?|wg|tr|rv|enc|i|doorst|pd|vb)\s?:/i;
/** Minimum length of a URL part with letters and digits that identifies one mail or receiver. */
const IDENTIFIER_LENGTH = 20;

/** Parts of a mail from which its facts are read. */
export interface ReadParts {
  email: Email;
  /** The body in plain text. */
  text: string;
  /** Pages of the mail: its own HTML, and attached ones with their names. */
  pages: readonly { place: string; page: Pick<HtmlText, 'links' | 'form'> }[];
  /** The HTML of the body; null: it has none. */
  body: MailReading['page'];
  /** The first mail that is attached. */
  attached: Email | null;
}

/** Returns the facts about a mail other than its words. Takes time linear in the length of the mail. */
export function mailFacts({ email, text, pages, body, attached }: ReadParts): MailReading {
  const ofPages = pages.flatMap(({ page }) => page.links);
  const known = new Set(ofPages.map(({ href }) => href));
  const links = [
    ...ofPages,
    ...find(text.slice(0, READ))
      .filter(({ type, href, value }) => type === 'url' && !known.has(href) && !known.has(value))
      .map(({ href }) => ({ href, shown: null })),
  ];
  const list = listOf(email);
  return {
    ...envelopeOf(email),
    to: addresses(email.to),
    cc: addresses(email.cc),
    list,
    isReply: (isNamed(email.inReplyTo) || isNamed(email.references)) && !FORWARDS.test(email.subject ?? ''),
    // A digest of a list quotes the mails of its members.
    forwarded: list === null ? forwardedIn(text, attached) : null,
    authenticationResults: valuesOf(email, 'authentication-results').slice(0, MOST.results),
    links: links.slice(0, MOST.links).flatMap(linkOf),
    writesTo: [...new Set(links.flatMap(writtenTo))].slice(0, MOST.addresses),
    forms: pages.flatMap(({ place, page }) => (page.form === null ? [] : [{ place, ...page.form }])),
    attachments: email.attachments.slice(0, MOST.attachments).map(attachmentOf),
    page: body,
  };
}

const isNamed = (header: string | undefined) => header !== undefined && header.trim() !== '';

function envelopeOf(email: Email): MailEnvelope {
  const [firstAddress = null] = addresses(email.from === undefined ? [] : [email.from]);
  const name = inLine(email.from?.name ?? '', LENGTH.name);
  // `Bank Support <>`: mail programs show the name.
  const from = firstAddress ?? (name === '' ? null : { name, address: '' });
  const returnPath = email.returnPath?.trim() ?? '';
  return {
    from,
    replyTo: addresses(email.replyTo),
    returnPath: returnPath.includes('@') ? inLine(returnPath, LENGTH.name) : null,
  };
}

function addresses(list: readonly Address[] | undefined): MailAddress[] {
  const all = (list ?? []).flatMap((one) => one.group ?? [one]);
  let before = '';
  return all.slice(0, MOST.addresses).flatMap(({ name, address }) => {
    const whole = inLine(`${before} ${name}`.trim(), LENGTH.name);
    // `"Bank Support", _ <x@other.example>`: mail programs show the name although it has no address of its own.
    before = (address ?? '') === '' ? whole : '';
    return before === '' ? [{ name: whole, address: inLine(address ?? '', LENGTH.name).toLowerCase() }] : [];
  });
}

function valuesOf({ headers }: Email, key: string): string[] {
  return headers.filter((header) => header.key === key).map(({ value }) => value.slice(0, LENGTH.result + 1));
}

/** Headers by which lists name addresses of their own (RFC 2369). */
const LIST_HEADERS = ['list-unsubscribe', 'list-post', 'list-help', 'list-subscribe', 'list-owner'];

/** Returns the headers of a mailing list (RFC 2369, 2919, 8058) or of bulk mail (RFC 3834). */
function listOf(email: Email): MailReading['list'] {
  const [id = ''] = valuesOf(email, 'list-id');
  const isBulk = valuesOf(email, 'precedence').some((value) => /^\s{0,9}(?:bulk|list)\b/i.test(value));
  const unsubscribe = LIST_HEADERS.flatMap((name) => valuesOf(email, name))
    .flatMap((value) => [...value.matchAll(/<((?:https?:|mailto:)[^<>\s]{1,2000})>/gi)])
    .map(([, target = '']) => hostOfTarget(target))
    .filter((host) => host !== '');
  if (id === '' && unsubscribe.length === 0 && !isBulk) return null;
  return { id: inLine(id, LENGTH.name), unsubscribe: [...new Set(unsubscribe)].slice(0, MOST.unsubscribe) };
}

function hostOfTarget(target: string): string {
  if (/^mailto:/i.test(target)) return (/@([^?>\s]{1,255})/.exec(target)?.[1] ?? '').toLowerCase();
  return URL.canParse(target) ? new URL(target).hostname : '';
}

function linkOf({ href, shown }: { href: string; shown: string | null }): MailReading['links'] {
  if (!/^https?:/i.test(href) || !URL.canParse(href)) return [];
  const url = new URL(href);
  const rest = `${url.pathname}${url.search}${url.hash}`.slice(0, 2_000);
  return [
    {
      host: url.hostname,
      shown,
      hasAddress: /[\w.+-]{1,64}(?:@|%40)[\w-]{1,63}\.[\w.-]{2,100}/i.test(rest),
      hasIdentifier: rest
        .split(/[^\w-]/)
        .some((part) => part.length >= IDENTIFIER_LENGTH && /\d/.test(part) && /[a-z]/i.test(part)),
    },
  ];
}

function writtenTo({ href }: { href: string }): string[] {
  const [, address] = /^mailto:([^?\s]{3,320})/i.exec(href) ?? [];
  return address?.includes('@') === true ? [inLine(address, LENGTH.name).toLowerCase()] : [];
}

function attachmentOf({ filename, mimeType }: Attachment): MailReading['attachments'][number] {
  const name = inLine(filename ?? mimeType, 80);
  const extension = /\.([a-z0-9]{1,8})\s{0,9}$/i.exec(filename ?? '')?.[1]?.toLowerCase() ?? '';
  const bySort = SORT_OF.get(extension) ?? (mimeType === 'text/html' ? 'page' : null);
  return { name, sort: bySort ?? (mimeType.startsWith('image/') ? 'image' : 'other') };
}

/** Returns the mail that a mail asks about; null: nothing is forwarded, or the own text is more than a question. */
function forwardedIn(text: string, attached: Email | null): MailReading['forwarded'] {
  const lines = text.slice(0, READ).split('\n');
  const at = quotedHeader(lines);
  const own = (at === -1 ? lines : lines.slice(0, at)).filter((line) => !isDivider(line));
  const question = inLine(own.join(' ').trim(), QUESTION_LENGTH + 1);
  if (question.length > QUESTION_LENGTH || !(question === '' || /[?？؟]/.test(question))) return null;
  if (attached !== null) return { ...envelopeOf(attached), how: 'attached', question };
  if (at === -1 || question === '') return null;
  const [sender] = find(lines[at] ?? '').filter(({ type }) => type === 'email');
  const line = (lines[at] ?? '').replace(/^[^:]{0,60}:/, '');
  const name = inLine(line.split('<', 1)[0] ?? '', LENGTH.name);
  const from =
    sender === undefined
      ? null
      : { name: name.includes('@') ? '' : name, address: sender.value.toLowerCase() };
  return { from, replyTo: [], returnPath: null, how: 'quoted', question };
}

/** Returns the index of the line that names the sender of a quoted mail, with other header lines next to it; -1: none. */
function quotedHeader(lines: readonly string[]): number {
  const names = lines.map((line) => headerName(line));
  return names.findIndex((name, i) => {
    if (!SENDER.has(name)) return false;
    const near = names.slice(i + 1, i + 6);
    return near.some((other) => OTHERS.has(other) || RECEIVERS.has(other) || ANSWERS.has(other));
  });
}

const isDivider = (line: string) => /^[>\s]{0,20}[-_*]{3,}|^[>\s]{0,20}Begin forwarded message/i.test(line);
