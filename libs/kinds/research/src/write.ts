import type { JsonObject, Report, ResearchReport } from '@casefile/contracts';
import { examinationListed, inertText } from '@casefile/pipeline/report-markdown';
import type { WriteInput } from '@casefile/pipeline/stage-parts';
import type { StagePorts } from '@casefile/pipeline/stage-ports';
import type { ReportCheck } from './check/check-report.js';
import { writtenReportLevel, type WrittenReport } from './confidence-level.js';
import { endsBy } from './deadline.js';
import { claimsOfDraft, removedClaims, withoutSentences } from './examine.js';
import { askRole } from './model/ask-role.js';
import { writerQuestion } from './model/writer.js';
import type { ResearchOptions } from './options.js';
import {
  checkAgainst,
  rolesSilent,
  citedIn,
  draftIn,
  optionsOf,
  requestIn,
  reviewIn,
  sourcesIn,
  sourcesWithoutText,
  type CitableSource,
} from './result.js';
import { safeMarkdown } from './safe-markdown.js';
import { EXAMINATION_WORDS, WORDS } from './words.js';

/**
 * Writes the report for people: the writer's text, or the draft if the writer failed or deviated from the
 * draft.
 */
export async function writeReport(input: WriteInput, ports: StagePorts): Promise<Report> {
  const { draft, brief } = input;
  const { query, language } = requestIn(brief);
  const state = draftIn(draft);
  const words = WORDS[language];
  const title = words.title(query);
  const options = optionsOf(ports.run.settings);
  if (state.kind === 'error' || state.kind === 'sources') {
    const text = state.error?.message ?? '';
    return titleReport(title, [inLines(text), sourcesListed(input)], input, {
      ...EMPTY_REPORT,
      finalReport: text,
    });
  }
  const written = await authored(input, ports, options);
  const safe = safeMarkdown(written.text);
  const checked = checkAgainst(safe, input, options);
  const { level, cappedBy } = writtenReportLevel(written, checked, input);
  const marked = markedReport(safe, checked, words.unverified);
  const finalReport = [
    marked,
    foundSources(input),
    besides(input, options),
    missing(input, written),
    missingAnswersNote(input),
    examinationNote(input),
    openFindings(input),
  ]
    .filter((part) => part !== '')
    .join('\n\n');
  const result: ResearchReport = {
    finalReport,
    writtenBy: written.writtenBy,
    writerFailed: written.writerFailed,
    sourcesUsed: citedIn(marked, sourcesIn(input.evidence)),
    confidenceLevel: level,
    cappedBy,
    sentences: checked.sentences.map(({ from: _from, whole: _whole, ...sentence }) => sentence),
    share: checked.share,
  };
  const sections = [finalReport, examinationListed(input, inertText, EXAMINATION_WORDS[language])];
  return titleReport(title, [...sections, sourcesListed(input)], input, result);
}

const EMPTY_REPORT: ResearchReport = {
  finalReport: '',
  writtenBy: 'nobody',
  writerFailed: null,
  sourcesUsed: [],
  confidenceLevel: 'Low',
  cappedBy: [],
  sentences: [],
  share: 0,
};

function titleReport(
  title: string,
  sections: string[],
  { evidence }: WriteInput,
  result: ResearchReport,
): Report {
  const markdown = [`# ${inertText(title, 300)}`, ...sections].filter((part) => part !== '').join('\n\n');
  return {
    title,
    markdown: `${markdown}\n`,
    citations: citedIn(result.finalReport, sourcesIn(evidence)),
    answer: result as unknown as JsonObject,
  };
}

async function authored(
  input: WriteInput,
  ports: StagePorts,
  options: ResearchOptions,
): Promise<WrittenReport> {
  const { draft, review, brief, evidence } = input;
  const request = requestIn(brief);
  const state = draftIn(draft);
  const own = { text: state.draft, said: null, writerFailed: null };
  if (state.kind === 'extract') return { ...own, writtenBy: 'rules', said: 'Low' };
  const removed = removedClaims(review);
  if (removed.length > 0) {
    // A writer could state a removed claim in other words, so the draft without the removed claims is used.
    const claims = claimsOfDraft(input, ports.run.settings).filter(({ claim }) => removed.includes(claim.id));
    const sentences = claims.map(({ sentence }) => sentence);
    return { ...own, text: withoutSentences(state.draft, sentences), writtenBy: 'analyst' };
  }
  const question = writerQuestion(
    { request, evidence, draft: state.draft, review, rule: options.modes[request.mode] },
    ports.prompts,
  );
  const { writerTimeoutMs: timeoutMs, maxRetries } = options;
  const until = endsBy(brief, ports.run.settings);
  const asked = await askRole(question, { timeoutMs, maxRetries, until }, ports);
  if ('failed' in asked) return { ...own, writtenBy: 'analyst', said: 'Low', writerFailed: asked.failed };
  const { finalReport: text, confidenceLevel: said } = asked.value;
  const shareOf = (report: string) => checkAgainst(report, input, options).share ?? 0;
  const strays = shareOf(text) < shareOf(state.draft);
  if (strays) return { ...own, writtenBy: 'analyst', said, writerFailed: 'strayed' };
  return { text, writtenBy: 'writer', said, writerFailed: null };
}

/** Returns the report with a mark after each sentence that no source supports. Headings get no mark. */
function markedReport(text: string, { sentences }: ReportCheck, mark: string): string {
  let out = '';
  let from = 0;
  for (const sentence of sentences) {
    if (sentence.state !== 'unsupported' || /^\s{0,3}#/.test(sentence.whole)) continue;
    const end = sentence.from + sentence.whole.trimEnd().length;
    out += text.slice(from, end) + mark;
    from = end;
  }
  return out + text.slice(from);
}

/** Both sides of a comparison of tiers, added by code to the report of any writer. */
function besides(input: WriteInput, { modes }: ResearchOptions): string {
  const { mode, language } = requestIn(input.brief);
  const [first, second] = modes[mode].compareTiers ?? [];
  if (first === undefined || second === undefined) return '';
  const words = WORDS[language];
  const side = (tier: number) => {
    const own = sourcesIn(input.evidence).filter(({ source }) => source._reasoning_metadata.tier === tier);
    const lines = own.map((one) => `- ${citableSourceTitle(one)} [${one.id}]`);
    return `### ${words.tier(tier)}\n\n${lines.length === 0 ? words.none : lines.join('\n')}`;
  };
  return `## ${words.comparison(first, second)}\n\n${side(first)}\n\n${side(second)}`;
}

const citableSourceTitle = ({ source }: CitableSource): string =>
  `${inertText(source.site, 100)}：${inertText(source.name, 200)}`;

/** Lists in the report itself, without ids, the sources of an extract that quotes none of them. */
function foundSources(input: WriteInput): string {
  const { kind, draft } = draftIn(input.draft);
  const sources = sourcesIn(input.evidence);
  if (kind !== 'extract' || citedIn(draft, sources).length > 0) return '';
  const words = WORDS[requestIn(input.brief).language];
  const lines = sources.map(
    (one) => `- ${citableSourceTitle(one)} (${words.tier(one.source._reasoning_metadata.tier)})`,
  );
  return `## ${words.foundSources}\n\n${lines.join('\n')}`;
}

/** Returns the parts that the report lacks because a role did not answer. */
function missing(input: WriteInput, { writerFailed }: WrittenReport): string {
  const { language } = requestIn(input.brief);
  const words = WORDS[language];
  const silent = rolesSilent(input, writerFailed).map(([role, why]) => words.silent(words.roles[role], why));
  const searches = input.evidence.items
    .filter(({ success }) => !success)
    .map(({ message, reason }) => words.searchFailed(inertText(message ?? reason ?? '', 300)));
  const lines = [...silent, ...searches].map((line) => `- ${line}`);
  return silent.length === 0 ? '' : `## ${words.missing}\n\n${lines.join('\n')}`;
}

/** Lists the sources without readable text. They have no ids, because nothing is cited from them. */
function missingAnswersNote({ brief, evidence }: WriteInput): string {
  const { language } = requestIn(brief);
  const sources = sourcesWithoutText(evidence);
  if (sources.length === 0) return '';
  const words = WORDS[language];
  return `## ${words.withoutText}\n\n${words.withoutTextNote}\n\n${sources.map((one) => `- ${citableSourceTitle(one)}`).join('\n')}`;
}

/** States in the report itself how many sentences the cross-examination removed, or that there was none. */
function examinationNote({ review, brief }: WriteInput): string {
  const words = EXAMINATION_WORDS[requestIn(brief).language];
  const failed = review.crossExamination?.failed ?? null;
  const removed = removedClaims(review).length;
  const note = failed === null ? removed > 0 && words.removedCount(removed) : words.unanswered(failed);
  return note === false ? '' : `## ${words.title}\n\n${note}`;
}

function openFindings({ review, brief }: WriteInput): string {
  const { converged, endedBy } = reviewIn(review);
  const words = WORDS[requestIn(brief).language];
  if (converged || endedBy === 'rules' || review.findings.length === 0) return '';
  const lines = review.findings.slice(0, 20).map(({ message }) => `- ${inertText(message, 600)}`);
  return `## ${words.open}\n\n${words.notConverged}\n\n${lines.join('\n')}`;
}

function sourcesListed({ evidence, brief }: WriteInput): string {
  const words = WORDS[requestIn(brief).language];
  const sources = sourcesIn(evidence);
  const undated = sources.filter(({ source }) => source.published === null).length;
  const leftOut = evidence.leftOut?.length ?? 0;
  const retracted = (evidence.leftOut ?? [])
    .filter(({ about }) => about['why'] === 'retracted')
    .map(({ what }) => inertText(what, 200));
  const notes = [
    ...(undated > 0 ? [words.undatedCount(undated)] : []),
    ...(leftOut > 0 ? [words.leftOut(leftOut)] : []),
    ...(retracted.length > 0 ? [words.retracted(retracted.join('; '))] : []),
  ];
  const noted = notes.join(requestIn(brief).language === 'zh' ? '' : ' ');
  if (sources.length === 0) return noted;
  const lines = sources.map((one) => {
    const { tier, type } = one.source._reasoning_metadata;
    const day = one.source.published?.slice(0, 10) ?? words.undated;
    return `- [${one.id}] ${citableSourceTitle(one)} (${words.tier(tier)}, ${inertText(type, 40)}, ${inertText(day, 20)})`;
  });
  return [`## ${words.sources}`, lines.join('\n'), noted].filter((part) => part !== '').join('\n\n');
}

const inLines = (text: string): string =>
  text
    .split('\n')
    .map((line) =>
      line.startsWith('- ') ? `- ${inertText(line.slice(2), 600)}` : `${inertText(line, 600)}\n`,
    )
    .join('\n')
    .trim();
