import type { BoundedRunner } from '@casefile/contracts';
import { PARSE_DOCUMENT } from '../import-policy-file.js';

/**
 * Returns the text of a PDF with its headings, read in the bounded process like a policy.
 * @throws CasefileError `encrypted_document`, `empty_document`, `too_large`, `unreadable_document`.
 */
export async function pdfText(
  runner: BoundedRunner,
  bytes: Uint8Array,
  context: { signal: AbortSignal },
): Promise<{ title: string; text: string; language: string | null }> {
  const args = { name: 'page.pdf', format: 'pdf' as const };
  const { title, language, sections } = await runner.run(PARSE_DOCUMENT, bytes, args, context);
  const parts = sections.map((section) => `${section.title}\n\n${section.text}`.trim());
  return { title, language, text: parts.join('\n\n') };
}
