import { sleep } from '@casefile/contracts';
import { importers, type ImportNews, type SummaryModel, type TextFile } from '@casefile/knowledge';
import { markOf, requestOf, summariseSections } from '@casefile/pipeline';
import type { Config } from '../config/read-config.js';
import { connect } from './connect.js';
import type { Adapters } from './platform.js';

/** What an import is run with. */
export interface ImportRun {
  readText(path: string): Promise<TextFile>;
  /** Asked when the file was read and is good. */
  config(): Config;
  news: ImportNews;
}

/**
 * Imports into the knowledge base of this name, in the database of a configuration; what is wrong in a file is said before
 * that is opened. Resolves to whether all of it was taken.
 * @throws InvalidInput that names every wrong line and field; CasefileError `unreadable_file`, and of the store.
 */
export async function importKnowledge(
  name: string,
  path: string | undefined,
  options: Record<string, unknown>,
  { readText, config, news }: ImportRun,
): Promise<boolean> {
  const importer = importers.find((one) => one.name === name);
  if (importer === undefined) throw new Error(`there is no knowledge base ${name}`);
  const put = await importer.read(path, options, readText);
  const { adapters, close } = await connect(config(), []);
  try {
    const { knowledge, store: cases, embedder } = adapters;
    return await put({
      knowledge,
      cases,
      embeddingModel: embedder.model,
      summaries: summaryModel(adapters),
      news,
    });
  } finally {
    await close();
  }
}

/** The configured model as a writer of summaries; null: there is none. Those of the simulator are not worth having unasked. */
function summaryModel({
  models,
  config,
  ids,
}: Pick<Adapters, 'models' | 'config' | 'ids'>): SummaryModel | null {
  const { provider } = config;
  const paid = provider === null ? undefined : models?.model(provider.entry.name, provider.entry.model);
  if (provider === null || paid === undefined || paid === null) return null;
  const { model, worstCase } = paid;
  const mark = markOf({ seed: ids.token(16), deadlineAt: null }, 1);
  return {
    name: `${model.provider}/${model.model}`,
    byDefault: provider.entry.name !== 'simulator',
    questionAbout: (title, sections) => {
      const question = summariseSections(title, sections, config.prompts);
      return { request: requestOf(question, mark), read: question.read };
    },
    worstUsd: (request) => worstCase(request).usd,
    complete: (request, call) => model.complete(request, call),
    sleep,
  };
}
