import { plainText } from '../../plain-text.js';

/**
 * Markdown of a model or a source that makes no HTML, no image and no link of its own: links are put in by code alone. Headings,
 * lists and emphasis stay.
 */
export function safeMarkdown(text: string): string {
  return plainText(text)
    .replaceAll('<', '&lt;')
    .replaceAll('](', '] (')
    .replaceAll('![', '[')
    .replaceAll(']:', '] :')
    .replace(/\bh(tt)(ps?:\/\/)/gi, 'hxx$2')
    .replace(/\bwww\./gi, 'www[.]');
}

/** The address of a source as the target of a link; null: it is none that may be linked. */
export function linkTarget(url: string): string | null {
  try {
    const { protocol, href } = new URL(url);
    if (protocol !== 'https:' && protocol !== 'http:') return null;
    return href.replaceAll('(', '%28').replaceAll(')', '%29');
  } catch {
    return null;
  }
}
