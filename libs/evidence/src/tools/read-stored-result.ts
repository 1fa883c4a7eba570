import { CasefileError, STORED_PAGE, z, type StoredResults, type Tool } from '@casefile/contracts';
import { OWN_LOOK_UP, toolLimits, type EvidenceSettings } from '../settings.js';

const NAME = 'stored_result';
const args = z.strictObject({
  id: z.uuid().describe('The id that the shortened result names'),
  page: z.number().int().min(1).max(100_000).optional(),
  search: z.string().trim().min(1).max(200).optional().describe('Words to look for, in any case'),
});

/** Most matches shown; all are counted. */
const MOST_MATCHES = 20;
const AROUND = 200;

/**
 * Reads a long result by page from the record, without an outside query. Result `{ id, page, pages, text }`,
 * or for a search `{ id, search, found, matches: [{ page, text }] }`. Default without page and search: the
 * first page.
 */
export function readStoredResult(
  settings: Pick<EvidenceSettings, 'limits'>,
  results: Pick<StoredResults, 'read'> | undefined,
): Tool {
  return {
    name: NAME,
    description: 'Reads a page of a result that was shortened, or searches all of it.',
    locality: 'local',
    reads: 'database',
    entityTypes: [],
    args,
    limits: toolLimits(NAME, { ...OWN_LOOK_UP, concurrency: 4 }, settings),
    async run(input, { signal, runId }) {
      signal.throwIfAborted();
      const { id, page, search } = args.parse(input);
      if (results === undefined || runId === undefined)
        throw new CasefileError('not_configured', 'Stored results are read within a run, from its record');
      const text = await results.read(runId, id);
      if (text === null) throw new CasefileError('not_found', `This run has no stored result ${id}`);
      const part = search === undefined ? textPage(text, page ?? 1) : matchesIn(text, search);
      return { result: { id, ...part }, source: 'record' };
    },
  };
}

function textPage(text: string, page: number) {
  const pages = Math.max(1, Math.ceil(text.length / STORED_PAGE));
  if (page > pages) throw new CasefileError('invalid_arguments', `page: it has ${pages} pages`);
  return { page, pages, text: text.slice((page - 1) * STORED_PAGE, page * STORED_PAGE) };
}

function matchesIn(text: string, search: string) {
  const all = text.toLowerCase();
  const wanted = search.toLowerCase();
  const matches: { page: number; text: string }[] = [];
  let count = 0;
  let shownTo = 0;
  for (let at = all.indexOf(wanted); at !== -1; at = all.indexOf(wanted, at + wanted.length)) {
    count += 1;
    // Skips text that the previous match already shows.
    if (matches.length === MOST_MATCHES || at < shownTo) continue;
    shownTo = at + wanted.length + AROUND;
    const page = Math.floor(at / STORED_PAGE) + 1;
    matches.push({ page, text: text.slice(Math.max(0, at - AROUND), shownTo) });
  }
  return { search, found: count, matches };
}
