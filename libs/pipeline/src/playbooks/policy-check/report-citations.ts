import type { CitableFact, Citation, RefutedCitation, VerifiedCitation } from '@casefile/contracts';
import { inertText } from '../../markdown-text.js';
import { plainText } from '../../plain-text.js';
import type { CheckedBundle } from './case-bundle.js';
import { problemInWords } from './in-words.js';

type Pages = Extract<VerifiedCitation, { kind: 'quote' }>['pages'];

/**
 * A citation that held, as one line of Markdown: a quote with a link to its section, a fact with where it was read. A
 * report leaves Casefile: of confidential sections it has id and title alone. S4-15.
 */
export function citationLine(citation: VerifiedCitation, { policy, facts }: CheckedBundle): string {
  if (citation.kind === 'absence') return saidOf(citation);
  if (citation.kind === 'fact') {
    const read = facts.filter(({ id }) => citation.factIds.includes(id)).map(placeOf);
    return `${saidOf(citation)}${read.length === 0 ? '' : ` (${read.join('; ')})`}`;
  }
  const { nodeId, title, pages, page } = citation;
  const where = inertText(title === '' ? nodeId : title, 300);
  const link = `/policies/${inLink(policy.policyId)}/versions/${policy.version}?node=${inLink(nodeId)}`;
  const said =
    citation.confidential === true ? `Confidential, section ${inertText(nodeId, 64)}:` : saidOf(citation);
  return `${said} [${where}${pagesOf(page === undefined ? pages : { from: page, to: page })}](${link})`;
}

/** A citation that did not hold: what was said, why it does not count, and what is there instead. */
export function refutedLine({ citation, problem, instead }: RefutedCitation, confidential: boolean): string {
  if (citation.kind === 'quote' && confidential)
    return `A quote of section ${inertText(citation.nodeId, 64)}: ${problemInWords(problem)}.`;
  const where = citation.kind === 'quote' ? ` (section ${inertText(citation.nodeId, 64)})` : '';
  const there = instead.map((text) => inertText(text, 300)).join('; ');
  return `${saidOf(citation)}${where}: ${problemInWords(problem)}${there === '' ? '' : `; there is: ${there}`}.`;
}

function saidOf(citation: Citation | VerifiedCitation): string {
  switch (citation.kind) {
    case 'quote':
      return `“${inertText(citation.quote, 4_000)}”`;
    case 'fact': {
      const unit = citation.unit === undefined ? '' : ` ${inertText(citation.unit, 40)}`;
      return `Fact ${inertText(citation.fact, 200)}: ${inertText(String(citation.value), 1_000)}${unit}`;
    }
    case 'absence':
      return `Looked up and not there: ${citation.of === 'fact' ? 'a fact' : 'a section on'} “${inertText(citation.asked)}”`;
  }
}

function placeOf({ document, page, confidence }: CitableFact): string {
  const where = document === undefined ? 'no document' : inertText(document, 500);
  const at = page === undefined ? '' : `, p. ${page}`;
  return `${where}${at}, read with confidence ${confidence}`;
}

function pagesOf(pages: Pages): string {
  if (pages === null) return '';
  return pages.from === pages.to ? `, p. ${pages.from}` : `, pp. ${pages.from} to ${pages.to}`;
}

// What the encoding of addresses leaves as it is may still end a link in Markdown.
function inLink(id: string): string {
  return encodeURIComponent(plainText(id)).replace(
    /[!'()*_~]/g,
    (sign) => `%${sign.charCodeAt(0).toString(16).toUpperCase()}`,
  );
}
