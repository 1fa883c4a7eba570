import { CasefileError, z, type Tool } from '@casefile/contracts';
import type { ReadWebPage } from '../pages/web-pages.js';
import { toolLimits, type EvidenceSettings } from '../settings.js';

const NAME = 'read_page';
const args = z.strictObject({
  url: z
    .string()
    .max(2_048)
    .regex(/^https?:\/\/[^\s/]/i, 'expected an http address')
    .refine((text) => URL.canParse(text), 'expected an address')
    .describe('Address of the page'),
});

/**
 * Reads a page of the web. Result: a `StoredPage` (address after redirects, title, main text, author, date, language,
 * canonical address, notes of the page on itself, SHA-256 of its bytes).
 */
export function readPage(
  settings: Pick<EvidenceSettings, 'limits'>,
  readWebPage: ReadWebPage | undefined,
): Tool {
  return {
    name: NAME,
    description: 'Reads the main text of a page or PDF of the web.',
    locality: 'remote',
    reads: 'web',
    entityTypes: [],
    args,
    limits: toolLimits(NAME, { timeoutMs: 60_000, attempts: 2, concurrency: 8 }, settings),
    async run(input, { signal, clock }) {
      signal.throwIfAborted();
      if (readWebPage === undefined)
        throw new CasefileError('not_configured', 'Pages are read by the evidence collector');
      const { url } = args.parse(input);
      const page = await readWebPage(url, { signal, clock });
      return { result: { ...page }, source: new URL(page.url).host };
    },
  };
}
