import { parse } from 'tldts';
import { inLine } from './plain-text.js';

/** Hosts that a text may name unchanged. */
export type KnownHosts = ReadonlySet<string>;

/**
 * Matches a URL or `www.` address up to a character that ends it, or a run of characters that may contain a
 * host.
 */
const PIECE =
  /(?:[a-z][a-z0-9+.-]{1,20}:\/\/|(?<![\p{L}\p{N}])www\.)[^\s"'<>`]+|[\p{L}\p{M}\p{N}._/:@?#%+~-]+/giu;
const WEB = /(?:https?|ftps?|wss?):\/\/|^www\./i;
const URL_HOST = /^(?:[a-z][a-z0-9+.-]{1,20}:\/\/)?(?:[^/@?#]{0,200}@)?([\p{L}\p{M}\p{N}._-]{1,255})/iu;
const EMAIL_HOST = /^[^@/]{1,100}@([\p{L}\p{N}.-]{1,255})$/u;
/** Matches the part that renderers take for the host of an e-mail address, anywhere in a word. */
const AT_HOST = /(?<=[\w.+-])@((?:[\w-]{1,63}\.){1,10}[\w-]{0,62}[a-z])/gi;
/** Matches the part that renderers take for the beginning of a link, with the host after it. */
const LINK_START =
  /(?:https?:\/\/(?=(?:[^\s/@]{0,100}@)?([\w.-]{0,255}))|(?<![a-z0-9])www\.(?=([\w.-]{0,255})))/gi;
const ENDING = /[.,:!?]{1,8}$/;

/**
 * Last parts of a dotted name that are file extensions or words of code, although some are top-level domains:
 * `main.rs`, `payments-oom.md`, `logger.info`, `service.name`, `socket.io`, `payments.prod`.
 */
const CODE_WORDS = new Set(
  (
    'java md py rs sh so pl ps ml cc cs go js ts rb kt php zip mov vi do st pm in is as to at no my info name id io data ' +
    'events work run app dev prod host network cloud systems services global group int date now zone map stream tools ' +
    'active box ac ms mp sc tm cpu size'
  ).split(' '),
);
/** Hosts whose URLs without a scheme name packages, modules, images and labels. */
const CODE_HOSTS =
  /(?:^|\.)(?:k8s\.io|kubernetes\.io|helm\.sh|github\.com|gitlab\.com|golang\.org|gopkg\.in|google\.golang\.org|uber\.org|docker\.io|ghcr\.io|quay\.io|gcr\.io|pkg\.dev|azurecr\.io|amazonaws\.com|mcr\.microsoft\.com|npmjs\.org|apache\.org|istio\.io|x-k8s\.io)$/i;
/** Matches names of packages and classes that begin like a reversed domain: `com.example.shop`. */
const BACKWARDS = /^(?:com|org|net|io|de|fr|uk|gov|edu|javax?|jakarta|k8s|container|process|system)\./i;
const IMAGE = /[^/]:[\w][\w.-]{0,127}$|@sha256:/;

/** Returns the hosts that a text names, in links, e-mail addresses and alone. */
export function hostsIn(text: string): KnownHosts {
  const hosts = new Set<string>();
  for (const [piece] of text.matchAll(PIECE)) {
    const host = pieceHost(piece.replace(ENDING, ''));
    if (host.includes('.')) hosts.add(host);
  }
  return hosts;
}

/**
 * Converts text from outside to inert Markdown on one line. It creates no HTML, link, image, heading or list.
 * Technical names stay unchanged and searchable: files with their line, versions, packages, images,
 * Kubernetes names and known hosts. Links, e-mail addresses and unknown hosts are broken up
 * (`hxxps://evil[.]example`).
 */
export function inertTechnicalText(text: string, known: KnownHosts, max = 2_000): string {
  const line = inLine(text, max).replace(PIECE, (piece) => {
    const [ending = ''] = ENDING.exec(piece) ?? [];
    const name = piece.slice(0, piece.length - ending.length);
    return isForeign(name, known) ? `${brokenUp(name)}${ending}` : piece;
  });
  return escapedLine(withoutLinks(line, known));
}

function isForeign(name: string, known: KnownHosts): boolean {
  const host = pieceHost(name);
  if (known.has(host)) return false;
  if (WEB.test(name) || name.includes('://')) return true;
  if (EMAIL_HOST.test(name)) return isPublic(host);
  return isPublic(host) && !isTechnical(name, host);
}

function pieceHost(piece: string): string {
  const at = piece.search(WEB);
  const [, host = ''] = EMAIL_HOST.exec(piece) ?? URL_HOST.exec(at > 0 ? piece.slice(at) : piece) ?? [];
  return host.toLowerCase().replace(/\.$/, '');
}

function isPublic(host: string): boolean {
  if (!host.includes('.')) return false;
  const { isIcann, publicSuffix, domain } = parse(host);
  return domain !== null && (isIcann === true || publicSuffix === 'example');
}

/** Returns whether a name without a scheme is a name of software rather than the URL of a site. */
function isTechnical(name: string, host: string): boolean {
  const written = name.slice(0, host.length);
  if (/_|\p{Ll}\p{Lu}/u.test(written) || BACKWARDS.test(written) || CODE_HOSTS.test(host)) return true;
  const path = name.slice(host.length);
  if (path.includes('/')) return IMAGE.test(path) && !path.includes('?');
  return CODE_WORDS.has(host.slice(host.lastIndexOf('.') + 1));
}

// Searches inside words too, because renderers do.
function withoutLinks(line: string, known: KnownHosts): string {
  return line
    .replace(LINK_START, (start, linked?: string, host = '') => {
      const named = (linked ?? `www.${host}`).toLowerCase().replace(/\.{1,9}$/, '');
      return known.has(named) ? start : brokenUp(start);
    })
    .replace(AT_HOST, (at, host: string) =>
      known.has(host.toLowerCase()) || CODE_HOSTS.test(host) ? at : brokenUp(at),
    );
}

function brokenUp(name: string): string {
  return name
    .replaceAll('.', '[.]')
    .replace(/h(tt)(ps?:\/\/)/gi, 'hxx$2')
    .replaceAll('@', '[at]');
}

const MARKUP = /[\\`*[\]<>~|]/g;
const WORD_SIGN = /[\p{L}\p{N}]/u;

/**
 * Escapes only what would be markup at its position, so that names inside words stay unchanged. Links are
 * escaped too, because renderers take escapes after a link as part of it.
 */
function escapedLine(line: string): string {
  return line
    .replace(MARKUP, '\\$&')
    .replace(/_+/g, (run, at: number, whole: string) => {
      const isInside = WORD_SIGN.test(whole[at - 1] ?? '') && WORD_SIGN.test(whole[at + run.length] ?? '');
      return isInside ? run : '\\_'.repeat(run.length);
    })
    .replace(/&(?=#|[a-z0-9]{1,32};)/gi, '\\&')
    .replace(/:(?=\/\/)/g, '\\:')
    .replace(/\bwww\./gi, 'www\\.')
    .replace(/^[#+=-]/, '\\$&')
    .replace(/^(\d{1,9})([.)])(?=\s|$)/, '$1\\$2');
}
