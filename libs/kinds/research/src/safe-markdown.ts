import { plainText } from '@casefile/pipeline/plain-text';

/**
 * Returns Markdown of a model or a source without HTML, images and links. Only code adds links. Headings,
 * lists and emphasis are kept.
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

/** Returns the URL of a source as a link target, or null if it may not be linked. */
export function linkTarget(url: string): string | null {
  try {
    const { protocol, href } = new URL(url);
    if (protocol !== 'https:' && protocol !== 'http:') return null;
    return href.replaceAll('(', '%28').replaceAll(')', '%29');
  } catch {
    return null;
  }
}
