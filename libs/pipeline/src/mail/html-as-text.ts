import { compile, type DomNode, type FormatCallback, type HtmlToTextOptions } from 'html-to-text';
import { getDomain } from 'tldts';
import { findLinks } from '../entities/links.js';

/** HTML as a person sees it. */
export interface HtmlText {
  /** Each link is followed by its URL in angle brackets, unless its text is exactly that URL. */
  text: string;
  /** Links that show another URL than their target, each as a sentence. */
  notes: string[];
  /** The first links, with the host that the visible text shows if it is another one. */
  links: HtmlLink[];
  /** Whether there is a form, and whether it has a field for a password. null: there is no form. */
  form: { hasPassword: boolean } | null;
  /** Whether a picture is a link and hardly any text is visible: the text stands in the picture. */
  isPicture: boolean;
  /** Letters in elements whose style hides them from readers. */
  hiddenLetters: number;
  /** Whether tags remain in the text, because an element that holds text only (`textarea`) was never closed. */
  hasTagsLeft: boolean;
}

/** Reading of a text that is no HTML, without the text. */
export const WITHOUT_HTML: Omit<HtmlText, 'text'> = {
  notes: [],
  links: [],
  form: null,
  isPicture: false,
  hiddenLetters: 0,
  hasTagsLeft: false,
};

/** A link of a page. */
export interface HtmlLink {
  href: string;
  /** Host or domain that the visible text names although the link leads to another registrable domain. */
  shown: string | null;
}

/** Elements that occur on purpose only in HTML. */
const ELEMENT = /<(?:html|body|head|table|div|p|a|span|td|br|h[1-6])(?:\s[^<>]{0,2000})?\/?>/i;
const CLOSING = /<\/(?:html|body|head|table|div|p|a|span|td|h[1-6])\s*>/i;
/** UTF-16 units of HTML that are read, and sibling elements. Long newsletters have some 100,000 units. */
const LIMITS = { maxInputLength: 200_000, maxDepth: 1_000, maxChildNodes: 20_000 } as const;
/** Elements without a closing tag, which do not count towards the depth. */
const UNCLOSED = new Set(
  'area base br col dd dt embed hr img input li link meta option p source td th tr wbr'.split(' '),
);
const MOST_NOTES = 5;
const MOST_LINKS = 100;
const FORM = /<form[\s>]/i;
const PASSWORD_FIELD = /<input\s[^<>]{0,500}\btype\s{0,9}=\s{0,9}["']?password/i;
const SHOWN_LENGTH = 500;
/** Visible letters below which a page with a linked picture shows its text in the picture. */
const FEW_LETTERS = 200;
/** An opening tag and the text behind it. */
const TAG_AND_TEXT = /<([a-z][^<>]{0,1000})>([^<>]{1,20000})/gi;
/** A tag in the text itself that no writer shows to readers. */
const TAG_LEFT = /<textarea\s[^<>]{0,300}style\s{0,9}=/i;
/** Styles by which an element, or its text, is not seen. */
const HIDING =
  /display\s{0,9}:\s{0,9}none|visibility\s{0,9}:\s{0,9}hidden|font-size\s{0,9}:\s{0,9}[01](?:px|pt)?\s{0,9}(?:[;"'!]|$)|(?<![-\w])(?:color|opacity)\s{0,9}:\s{0,9}(?:transparent|0(?:\.0)?\s{0,9}(?:[;"'!]|$))/i;

/** Whether a text is HTML. */
export function isHtml(text: string): boolean {
  return ELEMENT.test(text) && CLOSING.test(text);
}

/** Reads HTML as text. HTML that is longer or deeper than any mail is read in part, with a note. */
export function htmlAsText(source: string): HtmlText {
  const html = source.slice(0, LIMITS.maxInputLength);
  const cut =
    html.length < source.length
      ? [`Of the HTML, ${html.length} of ${source.length} characters were read.`]
      : [];
  const form = FORM.test(html) ? { hasPassword: PASSWORD_FIELD.test(html) } : null;
  // The parser's time grows with the square of the depth.
  const hiddenLetters = lettersHidden(html);
  if (htmlDepth(html) > LIMITS.maxDepth)
    return {
      ...WITHOUT_HTML,
      hiddenLetters,
      text: html.replace(/<[^<>]{0,2000}>/g, ' '),
      notes: [...cut, 'The HTML is nested too deeply: its tags were removed.'],
      form,
    };
  let hasLinkedPicture = false;
  const notes = new Set<string>();
  const links: HtmlLink[] = [];
  const anchor: FormatCallback = (element, walk, builder) => {
    walk(element.children, builder);
    const href = domNodeAddress(element);
    const shown = shownText(element.children).trim();
    hasLinkedPicture ||= href !== null && hasPicture(element.children);
    const hosts = href === null || links.length >= MOST_LINKS ? null : otherHosts(shown, href);
    if (href !== null && links.length < MOST_LINKS) links.push({ href, shown: hosts?.shown ?? null });
    if (href === null || href === shown) return;
    builder.addInline(` <${href}>`, { noWordTransform: true });
    if (hosts !== null && notes.size < MOST_NOTES)
      notes.add(`A link shows "${hosts.shown}" but leads to "${hosts.target}".`);
  };
  const read = compile({ ...OPTIONS, formatters: { anchor } });
  const text = read(html).trim();
  const visible = lettersIn(text.replace(/<[^<>\s]{1,2000}>/g, ' ')) - hiddenLetters;
  return {
    text,
    notes: [...cut, ...notes],
    links,
    form,
    isPicture: hasLinkedPicture && visible < FEW_LETTERS,
    hiddenLetters,
    hasTagsLeft: TAG_LEFT.test(text),
  };
}

const lettersIn = (text: string): number => text.match(/\p{L}/gu)?.length ?? 0;

function lettersHidden(html: string): number {
  let letters = 0;
  for (const [, tag = '', text = ''] of html.matchAll(TAG_AND_TEXT))
    if (HIDING.test(tag)) letters += lettersIn(text);
  return letters;
}

function hasPicture(nodes: DomNode[] | undefined, depth = 0): boolean {
  if (nodes === undefined || depth > LIMITS.maxDepth) return false;
  return nodes.some(({ name, children }) => name === 'img' || hasPicture(children, depth + 1));
}

const OPTIONS: HtmlToTextOptions = {
  wordwrap: false,
  limits: LIMITS,
  selectors: [
    { selector: 'a', format: 'anchor' },
    { selector: 'img', format: 'skip' },
    ...['h1', 'h2', 'h3', 'h4', 'h5', 'h6'].map((selector) => ({ selector, options: { uppercase: false } })),
  ],
};

function domNodeAddress({ attribs }: DomNode): string | null {
  const href = String((attribs as Record<string, unknown> | undefined)?.['href'] ?? '').trim();
  return /^(?:https?:|mailto:|tel:)/i.test(href) ? href : null;
}

function shownText(nodes: DomNode[] | undefined, depth = 0): string {
  if (nodes === undefined || depth > LIMITS.maxDepth) return '';
  const parts = nodes.map((node) =>
    node.type === 'text' ? (node.data ?? '') : shownText(node.children, depth + 1),
  );
  return parts.join('').slice(0, SHOWN_LENGTH);
}

/** Returns the host that a link shows and the host that it leads to; null: it shows none, or one of the same domain. */
function otherHosts(shown: string, href: string): { shown: string; target: string } | null {
  const { urls, domains } = findLinks(shown);
  const [url] = urls;
  const from = url !== undefined && URL.canParse(url) ? new URL(url).hostname : domains[0];
  const to = URL.canParse(href) ? new URL(href).hostname : '';
  if (from === undefined || to === '' || (getDomain(from) ?? from) === (getDomain(to) ?? to)) return null;
  return { shown: from, target: to };
}

function htmlDepth(html: string): number {
  let [depth, deepest] = [0, 0];
  for (const [, slash, name = ''] of html.matchAll(/<(\/?)([a-z][a-z0-9]{0,30})/gi)) {
    if (UNCLOSED.has(name.toLowerCase())) continue;
    depth = slash === '' ? depth + 1 : Math.max(0, depth - 1);
    deepest = Math.max(deepest, depth);
  }
  return deepest;
}
