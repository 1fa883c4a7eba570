import {
  CasefileError,
  researchDraftSchema,
  researchReportSchema,
  researchReviewSchema,
  sourceSchema,
  type Brief,
  type Draft,
  type Evidence,
  type Report,
  type ResearchDraft,
  type ResearchReport,
  type ResearchReview,
  type Review,
  type RunSettings,
  type Source,
  type z,
} from '@casefile/contracts';
import { checkReport, type ReportCheck } from './check/check-report.js';
import { prepareOriginal, type Original } from './check/passages.js';
import { idsCitedIn } from './check/sentences.js';
import { options, type ResearchOptions } from './options.js';
import { requestSchema, type ResearchRequest } from './read-input.js';

/** A source with its citation id. */
export interface CitableSource {
  id: string;
  source: Source;
}

function readAs<S extends z.ZodType>(schema: S, body: unknown, what: string): z.output<S> {
  const read = schema.safeParse(body);
  if (read.success) return read.data;
  throw new CasefileError('bad_draft', `the ${what} of a research cannot be read: ${read.error.message}`);
}

/** Returns the request as triage wrote it to the brief. @throws CasefileError `bad_draft`. */
export const requestIn = ({ input }: Pick<Brief, 'input'>): ResearchRequest =>
  readAs(requestSchema, input, 'request');

/** @throws CasefileError `bad_draft`. */
export const draftIn = ({ answer }: Pick<Draft, 'answer'>): ResearchDraft =>
  readAs(researchDraftSchema, answer, 'draft');

/** @throws CasefileError `bad_draft`. */
export const reviewIn = ({ answer }: Pick<Review, 'answer'>): ResearchReview =>
  readAs(researchReviewSchema, answer, 'review');

/** @throws CasefileError `bad_draft`. */
export const reportIn = ({ answer }: Pick<Report, 'answer'>): ResearchReport =>
  readAs(researchReportSchema, answer, 'report');

/** Returns the sources of the evidence, in the order of their ids. */
export function sourcesIn({ items }: Pick<Evidence, 'items'>): CitableSource[] {
  return items.flatMap(({ id, success, result }) => {
    const read = sourceSchema.safeParse(success ? result : null);
    return read.success ? [{ id, source: read.data }] : [];
  });
}

/** Returns the sources without a text, of which only name and URL are known. */
export function sourcesWithoutText(evidence: Pick<Evidence, 'items'>): CitableSource[] {
  return sourcesIn(evidence).filter(({ source }) => source.text.trim() === '');
}

/** The brief and the evidence of a run. */
interface ResultInput {
  brief: Brief;
  evidence: Evidence;
}

/** Prepares some of the sources of a run for checks. */
export function citableOriginals(sources: readonly CitableSource[]): Original[] {
  return sources.map(({ id, source }) =>
    prepareOriginal(id, {
      text: source.text,
      told: `${source.site}\n${source.name}`,
      published: source.published,
      tier: source._reasoning_metadata.tier,
      type: source._reasoning_metadata.type,
      url: source.url,
    }),
  );
}

/** Checks a text against the sources of a run, by the run's mode and days. */
export function checkAgainst(
  text: string,
  asked: ResultInput,
  { modes }: Pick<ResearchOptions, 'modes'>,
): ReportCheck {
  const { query, mode, from, to } = requestIn(asked.brief);
  const sources = sourcesIn(asked.evidence);
  const cited = new Set(citedIn(text, sources));
  // Prepares only cited sources: others support nothing, and preparing takes time.
  const originals = citableOriginals(sources.filter(({ id }) => cited.has(id)));
  const { maxTier } = modes[mode];
  return checkReport(text, { originals, query, from, to, maxTier });
}

/** Returns the existing ids that a text cites, each once, in order of their first use. */
export function citedIn(text: string, sources: readonly CitableSource[]): string[] {
  const known = new Set(sources.map(({ id }) => id));
  return idsCitedIn(text).filter((id) => known.has(id));
}

/** Returns the roles without a usable answer, each with the reason code. */
export function rolesSilent(
  { draft, review }: { draft: Draft; review: Review },
  writerFailed: string | null,
): ['analyst' | 'critic' | 'writer', string][] {
  const { failed } = draftIn(draft);
  const { criticFailed } = reviewIn(review);
  return [
    ...(failed === null ? [] : [['analyst', failed] as ['analyst', string]]),
    ...(criticFailed === undefined ? [] : [['critic', criticFailed] as ['critic', string]]),
    ...(writerFailed === null || writerFailed === 'strayed'
      ? []
      : [['writer', writerFailed] as ['writer', string]]),
  ];
}

/** Returns the options that a run was frozen with. */
export const optionsOf = ({ options: frozen }: Pick<RunSettings, 'options'>): ResearchOptions =>
  options.read(frozen);
