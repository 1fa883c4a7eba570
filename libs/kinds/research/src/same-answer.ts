import type { Json } from '@casefile/contracts';
import type { AnswerKey } from '@casefile/pipeline/parts/reusing';
import { isEnabled, STRATEGY } from './analyse.js';
import { endsBy } from './deadline.js';
import { optionsOf, requestIn, sourcesIn } from './result.js';

/**
 * Returns the key of an answer: all inputs that the answer depends on, such as query, mode, days, sources in
 * any order, prompts, models and options. Returns null if the answer is made without a model or must not be
 * reused.
 */
export const sameAnswer: AnswerKey = ({ brief, evidence, settings }) => {
  const { query, mode, from, to } = requestIn(brief);
  const { reuseForMs, enabled } = optionsOf(settings);
  const sources = sourcesIn(evidence);
  const asksModel =
    settings.strategy === STRATEGY && settings.provider !== 'none' && isEnabled(query, enabled);
  if (reuseForMs === 0 || sources.length === 0 || !asksModel) return null;
  const { promptIds, provider, model, options, fallbackProviders, cheaperModel, lowModel, reasoning } =
    settings;
  const models = { provider, model, fallbackProviders, cheaperModel, lowModel, reasoning };
  const pages = sources
    .map(({ source: { url, name, site, text, published } }) => [url, name, site, text, published])
    .toSorted((a, b) => (String(a[0]) < String(b[0]) ? -1 : 1));
  const failed = evidence.items.filter(({ success }) => !success).length;
  const key = {
    query,
    mode,
    from,
    to,
    collect: brief.collect,
    pages,
    failed,
    promptIds,
    models,
    options,
  };
  const waitsUntil = endsBy(brief, settings);
  return { key: JSON.parse(JSON.stringify(key)) as Json, forMs: reuseForMs, waitsUntil };
};
