import { asCasefileError, sleep, type RunbookAnswer, type RunbookQuestion } from '@casefile/contracts';
import {
  importers,
  prepareImport,
  type ImportNews,
  type ImportPorts,
  type ImportSource,
  type SummaryModel,
} from '@casefile/knowledge';
import { drawMark, questionRequest, summariseSections } from '@casefile/pipeline';
import type { Config } from '../config/read-config.js';
import { finishAtEnd } from '../process-end.js';
import { connect } from './connect.js';
import type { ModelPool } from './model-pool.js';
import type { Adapters } from './platform.js';

/** Time for an interrupted direct import to report its progress. */
const FINISH_WITHIN_MS = 3_000;

/** Inputs of an import. */
export interface ImportRun {
  config: Config;
  news: ImportNews;
}

/**
 * Prepares an import into the named knowledge base, without opening a database.
 * @throws as `Importer.prepare`.
 */
export function directImport(
  name: string,
  source: ImportSource,
  options: Record<string, unknown>,
): (run: ImportRun) => Promise<boolean> {
  const importer = importers.find((one) => one.name === name);
  if (importer === undefined) throw new Error(`there is no knowledge base ${name}`);
  const put = prepareImport(importer, source, options);
  return async ({ config, news }) => {
    const { adapters, pool, close } = await connect(config, []);
    try {
      const ports = importPorts(adapters, pool);
      return await finishAtEnd(FINISH_WITHIN_MS, (signal) => put({ ...ports, news, signal }));
    } finally {
      await close();
    }
  };
}

/** Returns the ports of imports in a connected process. */
export function importPorts(
  adapters: Adapters,
  pool: Pick<ModelPool, 'model'>,
): Omit<ImportPorts, 'news' | 'signal'> {
  const { knowledge, store, embedder } = adapters;
  const summaries = summaryModel(adapters, pool);
  return { knowledge, cases: store.record, embeddingModel: embedder.model, summaries };
}

/**
 * Returns the matching runbook of each alert, by the configuration and its database. Nothing is recorded. For
 * an unreadable runbook, the result has the reason.
 */
export async function matchRunbooks(
  questions: readonly RunbookQuestion[],
  config: Config,
): Promise<(MatchedRunbook & { alertType: string })[]> {
  const { adapters, close } = await connect(config, []);
  const context = { signal: new AbortController().signal, clock: adapters.clock };
  try {
    return await Promise.all(
      questions.map(async (question) => {
        const { alertType } = question;
        try {
          const answer = await adapters.knowledge.runbooks.findRunbook(question, context);
          if (!answer.found) return { alertType, ...answer };
          const { text: _text, ...found } = answer;
          return { alertType, ...found };
        } catch (error) {
          return { alertType, found: false as const, why: asCasefileError(error).message };
        }
      }),
    );
  } finally {
    await close();
  }
}

/** A match without the runbook's text. */
type MatchedRunbook =
  Omit<Extract<RunbookAnswer, { found: true }>, 'text'> | Extract<RunbookAnswer, { found: false }>;

/**
 * Returns the configured model as a writer of summaries; null: no model. Summaries of the simulator are off
 * by default because they have little value.
 */
function summaryModel({ config, ids }: Adapters, pool: Pick<ModelPool, 'model'>): SummaryModel | null {
  const { provider } = config;
  const paid = provider === null ? null : pool.model(provider.entry.name, provider.entry.model);
  if (provider === null || paid === null) return null;
  const { model, worstCase } = paid;
  const mark = drawMark({ seed: ids.token(16), deadlineAt: null }, 1);
  return {
    name: `${model.provider}/${model.model}`,
    byDefault: provider.entry.name !== 'simulator',
    questionAbout: (title, sections) => {
      const question = summariseSections(title, sections, config.prompts);
      return { request: questionRequest(question, mark), read: question.read };
    },
    worstUsd: (request) => worstCase(request).usd,
    complete: (request, call) => model.complete(request, call),
    sleep,
  };
}
