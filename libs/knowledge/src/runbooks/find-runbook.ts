import {
  asCasefileError,
  CasefileError,
  type Clock,
  type RunbookAnswer,
  type RunbookQuestion,
  type Runbooks,
} from '@casefile/contracts';
import {
  matchRunbook,
  nameOf,
  type RunbookMatch,
  type RunbookRule,
  type RunbookRules,
} from './match-runbook.js';
import { readRunbook } from './read-runbook.js';
import type { RunbookBase, StoredRunbook } from './runbook-base.js';

/** What a configuration says of runbooks. */
export interface RunbookSettings {
  rules: readonly RunbookRule[];
  /** Name or address of the one that is taken when no rule fits. */
  default: string | null;
}

export interface LookUpContext {
  signal: AbortSignal;
  clock: Clock;
}

/** Reads what is outside the system. */
export interface RunbookReader {
  /** May what is at this address be read because an alert says so? */
  mayRead(address: URL): boolean;
  /** The page at such an address. @throws CasefileError of the request. */
  pageOfAlert(address: URL, context: LookUpContext): Promise<Uint8Array>;
}

/** What runbooks are found with. */
export interface RunbookPorts {
  settings: RunbookSettings;
  reader: RunbookReader;
}

/** Without any setting: runbooks that were imported, by their own front matter. */
export const NO_RUNBOOK_SETTINGS: RunbookPorts = {
  settings: { rules: [], default: null },
  reader: { mayRead: () => false, pageOfAlert: () => Promise.reject(new Error('no address may be read')) },
};

/** Finds runbooks among those that are in the knowledge base, and at addresses that alerts may lead to. S2-41. */
export function createRunbooks(base: RunbookBase, { settings, reader }: RunbookPorts): Runbooks {
  const answerOf = async (match: RunbookMatch, there: readonly StoredRunbook[]): Promise<RunbookAnswer> => {
    if (match.runbook === null) return { found: false, why: match.why };
    const runbook = there.find(({ name }) => name === match.runbook);
    const text = runbook === undefined ? null : await base.runbookText(runbook.name, runbook.version);
    if (runbook === undefined || text === null) throw notThere(match.runbook);
    const { title, source, pin, name } = runbook;
    const { why, ambiguous, by } = match;
    return { found: true, title, text, source, pin, why, ambiguous, by, name };
  };

  /** The default in place of one that cannot be read. @throws `failure` when there is none. */
  const defaultFor = async (match: RunbookMatch, failure: CasefileError, there: readonly StoredRunbook[]) => {
    const name = settings.default === null ? null : nameOf(settings.default, there);
    if (name === null || name === match.runbook) throw failure;
    const why = `${match.why} That one, ${match.runbook}, cannot be read: ${failure.message}. In its place: the default runbook.`;
    return answerOf({ ...match, by: 'default', runbook: name, why }, there).catch(() => {
      throw failure;
    });
  };

  return {
    async findRunbook(question: RunbookQuestion, context: LookUpContext) {
      const there = await base.listRunbooks();
      const rules: RunbookRules = { runbooks: there, mayRead: (url) => reader.mayRead(url), ...settings };
      const first = matchRunbook(question, rules);
      const page = first.read === null ? null : await pageAt(first.read, reader, context);
      if (page !== null && !(page instanceof CasefileError)) return { ...page, why: first.why };
      const match = page === null ? first : matchRunbook(question, rules, plain(page));
      return answerOf(match, there).catch((error: unknown) =>
        defaultFor(match, asCasefileError(error), there),
      );
    },
  };
}

type Page = Omit<Extract<RunbookAnswer, { found: true }>, 'why'>;

/** What stands at an address that an alert leads to; it is evidence of this alert, and no runbook of the knowledge base. */
async function pageAt(
  address: URL,
  reader: RunbookReader,
  context: LookUpContext,
): Promise<Page | CasefileError> {
  const name =
    decoded(address.pathname)
      .split('/')
      .filter((part) => part !== '')
      .at(-1) ?? address.hostname;
  try {
    const bytes = await reader.pageOfAlert(address, context);
    const source = address.href;
    const { title, text, pin } = readRunbook({ name: `${name}.md`, bytes, source, address: source });
    return { found: true, title, text, source, pin, ambiguous: [], by: 'url', name: null };
  } catch (error) {
    context.signal.throwIfAborted();
    return asCasefileError(error);
  }
}

function decoded(path: string): string {
  try {
    return decodeURIComponent(path);
  } catch {
    return path;
  }
}

const plain = ({ message }: CasefileError): string => (message.endsWith('.') ? message : `${message}.`);

function notThere(name: string): CasefileError {
  return new CasefileError(
    'unknown_runbook',
    `There is no runbook ${JSON.stringify(name.slice(0, 200))}; import it with: casefile import runbooks FOLDER`,
  );
}
