import type { Attachment } from 'postal-mime';
import { inLine } from '../plain-text.js';
import { htmlAsText, WITHOUT_HTML, type HtmlText } from './html-as-text.js';

/** Attachments of a mail, read like the message itself. */
export interface ReadAttachments {
  /** Texts, each below its name. */
  text: string;
  /** PNG, JPEG and WebP files, the largest first: their text is read by OCR. */
  images: Uint8Array[];
  /** Misleading links in attached HTML, and unread attachments with the reason. */
  notes: string[];
  /** Links and forms of attached HTML, by the name of the file. */
  pages: { place: string; page: Pick<HtmlText, 'links' | 'form'> }[];
}

/**
 * Limits for attachments: reading one picture takes seconds of OCR. Intake limits the size of the whole
 * alert.
 */
const MOST = { texts: 5, images: 3, textBytes: 200_000, named: 10 } as const;
/** Bytes of an image below which it is a logo or a tracking pixel; a screenshot of a message has more. */
const SMALL_IMAGE = 4_000;
const TEXT_TYPE = /^text\/(?:plain|html|csv|markdown|calendar)$/;
const TEXT_NAME = /\.(?:txt|html?|csv|md|ics)$/i;

/** Reads attached texts, HTML pages and images within bounds. */
export function readAttachments(attachments: readonly Attachment[]): ReadAttachments {
  const files = attachments.map((one) => ({
    ...one,
    bytes: bytesOf(one.content),
    name: attachmentName(one),
  }));
  const byBytes = files
    .filter(({ bytes }) => isImage(bytes))
    .toSorted((a, b) => b.bytes.length - a.bytes.length);
  const images = byBytes.filter(({ bytes }) => bytes.length >= SMALL_IMAGE).slice(0, MOST.images);
  const texts = files.filter((file) => !isImage(file.bytes) && isText(file));
  const read = texts.filter(({ bytes }) => bytes.length <= MOST.textBytes).slice(0, MOST.texts);
  const unread = files
    .filter((file) => !images.includes(file) && !read.includes(file))
    .map((file) => `${file.name} (${byteReason(file.bytes, texts.includes(file))})`);
  const pages = read.map(({ name, mimeType, bytes }) => {
    const text = decodedBytes(bytes);
    const isPage = mimeType === 'text/html' || /\.html?$/i.test(name);
    const page = isPage ? htmlAsText(text) : { ...WITHOUT_HTML, text: text.trim() };
    return { text: `Attachment ${name}:\n${page.text}`, notes: page.notes, name, page };
  });
  return {
    text: pages.map(({ text }) => text).join('\n\n'),
    images: images.map(({ bytes }) => bytes),
    notes: [
      ...pages.flatMap(({ notes }) => notes),
      ...(unread.length === 0 ? [] : [`Attachments of the mail were not read: ${nameList(unread)}.`]),
    ],
    pages: pages.map(({ name, page }) => ({ place: name, page })),
  };
}

function byteReason(bytes: Uint8Array, isTextFile: boolean): string {
  if (isTextFile) return bytes.length > MOST.textBytes ? 'too large' : `more than ${MOST.texts} texts`;
  if (!isImage(bytes)) return 'a type that is not read';
  return bytes.length < SMALL_IMAGE ? 'a small picture' : `more than ${MOST.images} pictures`;
}

function nameList(names: readonly string[]): string {
  const more = names.length > MOST.named ? ` and ${names.length - MOST.named} more` : '';
  return `${names.slice(0, MOST.named).join(', ')}${more}`;
}

const attachmentName = ({ filename, mimeType }: Attachment): string => inLine(filename ?? mimeType, 80);

// The type or else the extension identifies a text. Programs choose names of attachments freely.
function isText({ mimeType, name }: { mimeType: string; name: string }): boolean {
  return TEXT_TYPE.test(mimeType) || (mimeType === 'application/octet-stream' && TEXT_NAME.test(name));
}

/** Returns whether a file is a PNG, JPEG or WebP, whatever type its mail states. */
function isImage(bytes: Uint8Array): boolean {
  const head = Buffer.from(bytes.subarray(0, 12)).toString('latin1');
  return (
    head.startsWith('\x89PNG\r\n') ||
    head.startsWith('\xff\xd8\xff') ||
    (head.startsWith('RIFF') && head.endsWith('WEBP'))
  );
}

function bytesOf(content: Attachment['content']): Uint8Array {
  return typeof content === 'string' ? Buffer.from(content) : new Uint8Array(content);
}

// The parser drops the encoding of an attached text.
function decodedBytes(bytes: Uint8Array): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    return new TextDecoder('windows-1252').decode(bytes);
  }
}
