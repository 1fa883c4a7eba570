import {
  asCasefileError,
  CasefileError,
  withTimeout,
  type BoundedRunner,
  type Logger,
  type RunbookMatchAnswer,
  type RunbookQuestion,
  type RunbookAnswer,
  type Runbooks,
  type RunbookRuleView,
  type RunbookShelf,
} from '@casefile/contracts';
import { normalisedUrl, matchRunbook, referencedName, type RunbookMatch } from './match-runbook.js';
import { readRunbook } from './read-runbook.js';
import {
  createSources,
  FRESH_MS,
  READ_MS,
  type ImportedRunbooks,
  type RunbookSettings,
  type There,
} from './fresh-sources.js';
import { nameOfPage, type LookUpContext, type RunbookReader, type RunbookSource } from './read-source.js';
import type { RunbookBase, StoredRunbook } from './runbook-base.js';
import { runbookAlertNames } from './runbook-names.js';

/** Dependencies of the runbook search. */
export interface RunbookPorts {
  settings: RunbookSettings;
  reader: RunbookReader;
}

const noReader = () => Promise.reject(new CasefileError('not_configured', 'no address can be read here'));

/**
 * Settings of a process without runbook settings: imported runbooks are found by their own front matter and
 * names.
 */
export const NO_RUNBOOK_SETTINGS: RunbookPorts = {
  settings: { rules: [], default: null, sources: [] },
  reader: { mayRead: () => false, pageOfAlert: noReader, page: noReader, repository: noReader },
};

/** The runbooks of a configuration. */
export interface RunbookFinder extends Runbooks, RunbookShelf {
  /**
   * Reads a source and saves its runbooks now. @throws CasefileError if the source cannot be read.
   */
  importRunbooks(source: RunbookSource, context: LookUpContext): Promise<ImportedRunbooks>;
}

/** Maximum number of cached pages. A page that an alert links to is cached for a minute. */
const MOST_PAGES = 100;

/** Finds runbooks in the knowledge base and at URLs that alerts may link to. */
export function createRunbooks(
  base: RunbookBase,
  { settings, reader, runner }: RunbookPorts & { runner: BoundedRunner },
  log: Logger,
): RunbookFinder {
  const sources = createSources(base, { settings, reader, runner }, log);
  const pageOfAlert = rememberPages(MOST_PAGES, (address, context) => reader.pageOfAlert(address, context));

  const answerOf = async (match: RunbookMatch, there: There): Promise<RunbookAnswer> => {
    if (match.runbook === null) return { found: false, why: match.why };
    const runbook = there.runbooks.find(({ name }) => name === match.runbook);
    const failure = there.failureOf(runbook ?? normalisedUrl(match.runbook));
    if (failure !== null) throw failure;
    const text = runbook === undefined ? null : await base.runbookText(runbook.name, runbook.version);
    if (runbook === undefined || text === null) throw notThere(match.runbook);
    const { title, source, pin, name } = runbook;
    const { why, ambiguous, by } = match;
    return { found: true, title, text, source, pin, why, ambiguous, by, name };
  };

  /** Returns the default in place of an unreadable runbook. @throws `failure` if there is no default. */
  const defaultFor = async (match: RunbookMatch, failure: CasefileError, there: There) => {
    const name = settings.default === null ? null : referencedName(settings.default, there.runbooks);
    if (name === null || name === match.runbook) throw failure;
    const why = `${match.why} That one, ${match.runbook}, cannot be read: ${sentence(failure)} In its place: the default runbook.`;
    return answerOf({ ...match, by: 'default', runbook: name, why }, there).catch(() => {
      throw failure;
    });
  };

  return {
    ...runbookShelf(base, settings, reader),
    importRunbooks: (source, context) => sources.importNow(source, context),
    async findRunbook(question, context) {
      const there = await sources.there(context);
      const rules = { ...settings, runbooks: there.runbooks, mayRead: (url: URL) => reader.mayRead(url) };
      const first = matchRunbook(question, rules);
      const page = first.read === null ? null : await pageAt(first.read, pageOfAlert, context);
      if (page !== null && !(page instanceof CasefileError)) return { ...page, why: first.why };
      const match = withFailures(
        page === null ? first : matchRunbook(question, rules, sentence(page)),
        there,
      );
      return answerOf(match, there).catch((error: unknown) =>
        defaultFor(match, asCasefileError(error), there),
      );
    },
  };
}

/** Returns the read-only view of the knowledge base. It does not refresh sources. */
function runbookShelf(
  base: RunbookBase,
  settings: RunbookSettings,
  reader: Pick<RunbookReader, 'mayRead'>,
): RunbookShelf {
  const leadingTo = (name: string, own: StoredRunbook | undefined, there: readonly StoredRunbook[]) => {
    const alertNames = own === undefined ? [] : runbookAlertNames(own);
    const hasRule = own !== undefined && Object.keys(own.labels).length + own.alerts.length > 0;
    const configured = settings.rules.filter(({ runbook }) => referencedName(runbook, there) === name);
    const rules: RunbookRuleView[] = [
      ...configured.map(({ labels, alerts }) => ({
        from: 'settings' as const,
        labels: { ...labels },
        alerts: [...alerts],
      })),
      ...(hasRule ? [{ from: 'front matter' as const, labels: own.labels, alerts: own.alerts }] : []),
      ...(alertNames.length === 0 ? [] : [{ from: 'name' as const, labels: {}, alerts: alertNames }]),
    ];
    return {
      rules,
      isDefault: settings.default !== null && referencedName(settings.default, there) === name,
    };
  };
  return {
    async listRunbooks() {
      const there = await base.listRunbooks();
      return there.map((one) => {
        const { origin: _origin, heading: _heading, ...version } = one;
        return { ...version, ...leadingTo(one.name, one, there) };
      });
    },
    async getRunbook(name) {
      const [versions, there] = await Promise.all([base.runbookVersions(name), base.listRunbooks()]);
      if (versions.length === 0) return null;
      const current = there.find((one) => one.name === name);
      return { name, currentVersion: current?.version ?? null, ...leadingTo(name, current, there), versions };
    },
    async matchRunbooks(questions) {
      const runbooks = await base.listRunbooks();
      return questions.map((question) => answerFrom(question, runbooks));
    },
  };

  function answerFrom(question: RunbookQuestion, runbooks: readonly StoredRunbook[]): RunbookMatchAnswer {
    const { alertType } = question;
    const mayRead = (url: URL) => reader.mayRead(url);
    const { runbook, read, why, ambiguous, by } = matchRunbook(question, { ...settings, runbooks, mayRead });
    if (read !== null) {
      const { href } = read;
      return { alertType, found: true, why, by, name: null, title: href, source: href, ambiguous };
    }
    if (runbook === null) return { alertType, found: false, why };
    const own = runbooks.find(({ name }) => name === runbook);
    if (own === undefined) return { alertType, found: false, why: `${why} ${notThere(runbook).message}` };
    const { title, source, pin, name } = own;
    return { alertType, found: true, why, by, name, title, source, pin, ambiguous };
  }
}

/**
 * Adds the failures of sources to the reason of a default match. An unreadable source may contain the right
 * runbook, and the reason must show this.
 */
function withFailures(match: RunbookMatch, { failures }: There): RunbookMatch {
  return match.by === 'default' ? { ...match, why: [match.why, ...failures].join(' ') } : match;
}

type ReadPage = (address: URL, context: LookUpContext) => Promise<Uint8Array>;

/** Caches the newest `most` pages for a minute; a failure is not cached. */
function rememberPages(most: number, read: ReadPage): ReadPage {
  const pages = new Map<string, { at: number; bytes: Uint8Array }>();
  return async (address, context) => {
    const cachedPage = pages.get(address.href);
    const now = context.clock.now();
    if (cachedPage !== undefined && now - cachedPage.at < FRESH_MS) return cachedPage.bytes;
    const bytes = await withTimeout(READ_MS, context.signal, (signal) =>
      read(address, { ...context, signal }),
    );
    pages.delete(address.href);
    pages.set(address.href, { at: now, bytes });
    const [oldest] = pages.keys();
    if (pages.size > most && oldest !== undefined) pages.delete(oldest);
    return bytes;
  };
}

type Page = Omit<Extract<RunbookAnswer, { found: true }>, 'why'>;

/**
 * Reads the page that an alert links to. The page is evidence of this alert only and is not saved as a
 * runbook.
 */
async function pageAt(address: URL, read: ReadPage, context: LookUpContext): Promise<Page | CasefileError> {
  try {
    const bytes = await read(address, context);
    const source = address.href;
    const { title, text, pin } = readRunbook({ name: nameOfPage(address), bytes, source, address: source });
    return { found: true, title, text, source, pin, ambiguous: [], by: 'url', name: null };
  } catch (error) {
    context.signal.throwIfAborted();
    return asCasefileError(error);
  }
}

const sentence = ({ message }: CasefileError): string => (message.endsWith('.') ? message : `${message}.`);

function notThere(name: string): CasefileError {
  return new CasefileError(
    'unknown_runbook',
    `There is no runbook ${JSON.stringify(name.slice(0, 200))}; import it with: casefile import runbooks FOLDER`,
  );
}
