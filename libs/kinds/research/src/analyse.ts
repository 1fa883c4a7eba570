import { createHash } from 'node:crypto';
import { done, search, type Draft, type Outcome, type ResearchDraft } from '@casefile/contracts';
import { fallBack } from '@casefile/pipeline/strategies/one-answer';
import type { StagePorts } from '@casefile/pipeline/stage-ports';
import type { DraftParts, ReasonInput, Rules, Strategy } from '@casefile/pipeline/strategy';
import { endsBy } from './deadline.js';
import { analystQuestion, type AnalystAnswer } from './model/analyst.js';
import { askRole, type RoleAnswer } from './model/ask-role.js';
import { PROMPTS } from './model/prompts.js';
import type { ResearchOptions } from './options.js';
import { checkAgainst, citedIn, draftIn, optionsOf, requestIn, sourcesIn } from './result.js';
import { draftParts, EMPTY, reasonExtract, noSources } from './rules/extract.js';
import { sourceName } from './tiers.js';

export const STRATEGY = 'rounds';
/** First journal step of the draft that is demanded after a request for useless searches. */
const DEMANDED = 11;

/**
 * The analyst of a research writes a draft from the sources, or requests searches, which open the next round.
 * A rejected draft is revised. The last round must produce a draft.
 */
export function inRounds(rules: Rules): Strategy {
  return {
    prompts: Object.fromEntries(
      Object.entries(PROMPTS).flatMap(([role, texts]) =>
        Object.entries(texts).map(([language, prompt]) => [`${role}-${language}`, prompt] as const),
      ),
    ),
    async reason(input, ports) {
      const options = optionsOf(ports.run.settings);
      const signed = (parts: DraftParts): Outcome<Draft> => done({ ...parts, strategy: STRATEGY });
      const missing = noSources(input);
      if (missing !== null) return signed(missing);
      if (!isEnabled(requestIn(input.brief).query, options.enabled)) return signed(sourcesAlone(input));
      if (!ports.model.available) return fallBack({ strategy: 'rules', rules }, input, ports, 'no_provider');
      return analyse(input, ports, options);
    },
  };
}

/** Returns whether research is on for a query. With a percentage, the same queries are always selected. */
export function isEnabled(query: string, enabled: ResearchOptions['enabled']): boolean {
  if (typeof enabled === 'boolean') return enabled;
  const drawn = createHash('sha256').update(sourceName(query)).digest().readUInt32BE(0) / 2 ** 32;
  return drawn * 100 < enabled;
}

const sourcesAlone = ({ evidence }: ReasonInput): DraftParts =>
  draftParts(
    { ...EMPTY, kind: 'sources' },
    { method: 'heuristic', confidence: 0, evidenceUsed: sourcesIn(evidence).map(({ id }) => id) },
  );

async function analyse(
  input: ReasonInput,
  ports: StagePorts,
  options: ResearchOptions,
): Promise<Outcome<Draft>> {
  const { evidence, brief, previous } = input;
  const request = requestIn(brief);
  const before = previous.draft;
  const last = { ...(before === undefined ? EMPTY : draftIn(before)), round: ports.run.round };
  const searchEnded = endOfSearch(input, ports.run.round, last, options);
  const { review } = previous;
  const asking = {
    request,
    evidence,
    before: before === undefined || review === undefined ? null : { draft: before, review },
    asked: last.asked,
  };
  const until = endsBy(brief, ports.run.settings);
  const times = { timeoutMs: options.analystTimeoutMs, maxRetries: options.maxRetries, until };
  const maySearch = searchEnded === null;
  const asked = analystQuestion({ ...asking, maySearch }, ports.prompts);
  const first = await askRole(asked, times, ports);
  if ('failed' in first) return failedReason(first.failed, input, last, options);
  const wanted = freshQueries(first.value, last.asked);
  if (first.value.status === 'SEARCH_REQUIRED' && maySearch && wanted.length > 0)
    return search({ ...searching(first.value, wanted, last, input), promptId: asked.id });
  if (first.value.draft !== '')
    return done({
      ...draftedAnswer(first.value, { ...last, searchEnded }, input, options, first),
      promptId: asked.id,
    });
  // The analyst requested only searches that were already made. It is asked for a draft in the same round.
  const question = analystQuestion({ ...asking, maySearch: false }, ports.prompts);
  const demanded = await askRole(question, { ...times, from: DEMANDED }, ports);
  if ('failed' in demanded) return failedReason(demanded.failed, input, last, options);
  const state = { ...last, searchEnded: searchEnded ?? ('same-queries' as const) };
  const both = {
    unreadable: first.unreadable + demanded.unreadable,
    remarks: [...new Set([...first.remarks, ...demanded.remarks])],
  };
  return done({ ...draftedAnswer(demanded.value, state, input, options, both), promptId: question.id });
}

/** Returns why no further search may be requested, or null if one may. */
function endOfSearch(
  { evidence, brief, previous }: ReasonInput,
  round: number,
  last: ResearchDraft,
  options: ResearchOptions,
): ResearchDraft['searchEnded'] {
  if (round >= options.maxRounds || !brief.collect) return 'last-round';
  if (last.searchEnded !== null) return last.searchEnded;
  if (last.kind !== 'search') return null;
  const newest = previous.draft?.queries ?? [];
  const found = sourcesIn(evidence).some(
    ({ source }) => source.query !== null && newest.includes(source.query),
  );
  return found ? null : 'nothing-new';
}

function freshQueries({ newQueries }: AnalystAnswer, asked: readonly string[]): string[] {
  const known = new Set(asked.map(sourceName));
  return newQueries.filter((query) => !known.has(sourceName(query)));
}

function searching(answer: AnalystAnswer, queries: string[], last: ResearchDraft, input: ReasonInput): Draft {
  const result: ResearchDraft = {
    ...last,
    kind: 'search',
    draft: answer.draft || last.draft,
    reasoningChain: answer.reasoningChain,
    asked: [...last.asked, ...queries],
  };
  const parts = draftParts(result, {
    method: 'llm',
    confidence: 0,
    evidenceUsed: citedIn(result.draft, sourcesIn(input.evidence)),
  });
  return { ...parts, explanation: answer.reasoningChain || queries.join('; '), strategy: STRATEGY, queries };
}

function draftedAnswer(
  answer: AnalystAnswer,
  state: ResearchDraft,
  input: ReasonInput,
  options: ResearchOptions,
  { unreadable, remarks }: Omit<Exclude<RoleAnswer<unknown>, { failed: string }>, 'value'>,
): Draft {
  const { draft, reasoningChain } = answer;
  const share = checkAgainst(draft, input, options).share ?? 0;
  const parts = draftParts(
    { ...state, kind: 'draft', draft, reasoningChain, failed: null },
    {
      method: 'llm',
      confidence: Math.round(share * 90) / 100,
      evidenceUsed: citedIn(draft, sourcesIn(input.evidence)),
    },
  );
  return {
    ...parts,
    remarks: [...parts.remarks, ...remarks],
    strategy: STRATEGY,
    ...(unreadable === 0 ? {} : { unreadable }),
  };
}

/**
 * Result of a failed analyst: the previous draft. If there is none, an error draft. If the run has to end
 * early, an extract of the sources.
 */
function failedReason(
  reason: string,
  input: ReasonInput,
  last: ResearchDraft,
  options: ResearchOptions,
): Outcome<Draft> {
  const sources = sourcesIn(input.evidence);
  const { language } = requestIn(input.brief);
  if (last.draft !== '') {
    const evidenceUsed = citedIn(last.draft, sources);
    const parts = draftParts(
      { ...last, kind: 'draft', failed: reason },
      { method: 'llm', confidence: 0.3, evidenceUsed },
    );
    return done({ ...parts, strategy: STRATEGY, fallbackReason: reason });
  }
  if (options.endWithinMs !== null) {
    const draft = reasonExtract(input);
    const state = { ...last, draft, kind: 'extract' as const, failed: reason };
    const how = { method: 'heuristic' as const, confidence: 0.4, evidenceUsed: citedIn(draft, sources) };
    return done({ ...draftParts(state, how), strategy: STRATEGY, fallbackReason: reason });
  }
  const known = sources.map(({ id, source }) => `- [${id}] ${source.site}: ${source.name}`);
  const head =
    language === 'zh'
      ? `分析員沒有回答（${reason}），因此沒有報告。已知的來源：`
      : `The analyst gave no answer (${reason}), so there is no report. The sources that are known:`;
  const parts = draftParts(
    {
      ...last,
      kind: 'error',
      error: { code: 'AnalystError', message: [head, ...known].join('\n') },
      failed: reason,
    },
    { method: 'heuristic', confidence: 0, evidenceUsed: sources.map(({ id }) => id) },
  );
  return done({ ...parts, strategy: STRATEGY, fallbackReason: reason });
}
