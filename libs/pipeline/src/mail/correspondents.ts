import { getDomain } from 'tldts';
import type { Brief } from '@casefile/contracts';
import { extractEntities } from '../entities/extract-entities.js';
import { find } from '../entities/links.js';
import { isFreeProvider } from './free-providers.js';
import { ANSWERS, headerName, OTHERS, RECEIVERS, SENDER } from './header-lines.js';

/** UTF-16 units of a text and lines of its headers that are read. */
const READ = 200_000;
const MOST_HEADERS = 20;
/** Last lines with text that may be a signature without a separator. */
const SIGNATURE_LINES = 5;

/** The line before a quoted mail, such as "On Monday, Ann <ann@acme.example> wrote:", and its verb in seven languages. */
const QUOTED = /^[>|\s]{0,20}(?:On|Am|Le|El|Il|Op|Em)\s.{1,300}:\s{0,9}$/;
const WROTE = /(?<!\p{L})(?:wrote|schrieb|a écrit|escribió|ha scritto|schreef|escreveu)(?!\p{L})/u;
/** The line before a signature (RFC 3676). */
const SEPARATOR = /^[>|\s]{0,20}--\s?$/;

interface Line {
  text: string;
  start: number;
  addresses: Address[];
}

interface Address {
  value: string;
  domain: string;
  start: number;
  end: number;
}

/**
 * Returns the domains that a text names only as the addresses of those who write to each other: senders and receivers in
 * the headers of a mail and of quoted mails, answers to the same domain, and the sender's address in the text. Nothing
 * there sends the receiver anywhere new. A text without a sender, and one whose reading left a note (such as an unread
 * attachment or a disguised link), has none. Takes time linear in the length of the text.
 */
export function correspondentDomains({ text: source, notes }: Pick<Brief, 'text' | 'notes'>): Set<string> {
  const text = source.slice(0, READ);
  if (notes.length > 0 || source.length > READ) return new Set();
  const lines = linesOf(text);
  const sender = senderIn(lines);
  if (sender === null) return new Set();
  const own = [
    ...headerAddresses(lines),
    ...lines.flatMap(({ addresses }) => addresses.filter(({ value }) => value === sender.value)),
    ...signatureLines(lines).flatMap(({ addresses }) => addresses.filter((one) => isColleague(one, sender))),
  ];
  const named = new Set(extractEntities(withoutParts(text, own)).entities['domain']);
  return new Set(own.map(({ domain }) => domain).filter((domain) => !named.has(domain)));
}

function linesOf(text: string): Line[] {
  const emails = find(text).filter(({ type }) => type === 'email');
  const lines: Line[] = [];
  let [at, next] = [0, 0];
  for (const line of text.split('\n')) {
    const end = at + line.length;
    const addresses: Address[] = [];
    for (let one = emails[next]; one !== undefined && one.start < end; one = emails[(next += 1)])
      addresses.push({
        value: one.value.toLowerCase(),
        domain: getDomain(one.value)?.toLowerCase() ?? '',
        start: one.start,
        end: one.end,
      });
    lines.push({ text: line, start: at, addresses });
    at = end + 1;
  }
  return lines;
}

const headerOf = ({ text }: Line): string => headerName(text);

// The sender of the mail itself stands in the headers with which the text begins.
function senderIn(lines: readonly Line[]): Address | null {
  for (const line of lines.slice(0, MOST_HEADERS)) {
    const name = headerOf(line);
    if (name === '') return null;
    if (SENDER.has(name)) return ofOneDomain(line);
  }
  return null;
}

// A name such as "service@bank.example" before the address of another domain is a disguise.
function ofOneDomain({ addresses }: Line): Address | null {
  const [first] = addresses;
  return first !== undefined && addresses.every(({ domain }) => domain === first.domain) ? first : null;
}

/** Returns the addresses in blocks of header lines. In a block, answers count if they go to the sender's domain. */
function headerAddresses(lines: readonly Line[]): Address[] {
  const own: Address[] = [];
  let block: Line[] = [];
  for (const line of lines) {
    const name = headerOf(line);
    if (SENDER.has(name) || ANSWERS.has(name) || RECEIVERS.has(name) || OTHERS.has(name)) {
      block.push(line);
      continue;
    }
    own.push(...blockAddresses(block));
    block = [];
    const quoted = QUOTED.test(line.text) && WROTE.test(line.text) ? ofOneDomain(line) : null;
    if (quoted !== null) own.push(quoted);
  }
  return [...own, ...blockAddresses(block)];
}

function blockAddresses(block: readonly Line[]): Address[] {
  const from = block.find((line) => SENDER.has(headerOf(line)));
  const sender = from === undefined ? null : ofOneDomain(from);
  if (from === undefined || sender === null) return [];
  return block.flatMap((line) => {
    const name = headerOf(line);
    if (line === from || RECEIVERS.has(name)) return line.addresses;
    return ANSWERS.has(name) ? line.addresses.filter((one) => isColleague(one, sender)) : [];
  });
}

function isColleague({ value, domain }: Address, sender: Address): boolean {
  if (value === sender.value) return true;
  return domain === sender.domain && !isFreeProvider(domain);
}

function signatureLines(lines: readonly Line[]): Line[] {
  const from = lines.findIndex(({ text }) => SEPARATOR.test(text));
  return from === -1
    ? lines.filter(({ text }) => text.trim() !== '').slice(-SIGNATURE_LINES)
    : lines.slice(from);
}

function withoutParts(text: string, parts: readonly Address[]): string {
  let from = 0;
  const kept = parts
    .toSorted((a, b) => a.start - b.start)
    .map(({ start, end }) => {
      const part = text.slice(from, Math.max(from, start));
      from = Math.max(from, end);
      return part;
    });
  return `${kept.join(' ')} ${text.slice(from)}`;
}
