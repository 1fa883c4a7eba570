import { createHash } from 'node:crypto';
import {
  done,
  revise,
  type Finding,
  type JsonObject,
  type Outcome,
  type ResearchReview,
  type Review,
} from '@casefile/contracts';
import type { Critique, ReviewInput } from '@casefile/pipeline/stage-parts';
import type { StagePorts } from '@casefile/pipeline/stage-ports';
import { inLine } from '@casefile/pipeline/plain-text';
import type { ReportCheck } from './check/check-report.js';
import { endsBy } from './deadline.js';
import { askRole } from './model/ask-role.js';
import { criticQuestion, type CriticAnswer } from './model/critic.js';
import type { ResearchOptions } from './options.js';
import { checkAgainst, draftIn, optionsOf, requestIn } from './result.js';
import { PROBLEM_WORDS, WORDS } from './words.js';

const MAX_FINDINGS = 60;
const NAME = 'critic';

/**
 * Reviews a draft: a program reports findings first, then the critic reviews the draft with them. PASS counts
 * as REJECT if the mode is violated or a citation is unverified. REJECT opens the next round, unless no round
 * is left or nothing changes any more.
 */
export const critiqueDraft: Critique = async (input, ports) => {
  const { draft, brief } = input;
  const state = draftIn(draft);
  const { language } = requestIn(brief);
  if (state.kind === 'error' || state.kind === 'sources') return done(unreviewed(state.kind, input));
  const options = optionsOf(ports.run.settings);
  const checked = checkAgainst(state.draft, input, options);
  const base = { share: checked.share, ...NOTHING_SAID };
  const unsupported = !isSupported(checked);
  const mechanical = [
    ...(unsupported && checked.share === null ? [nothingSupported(language)] : []),
    ...reportCheckFindings(checked, language),
  ];
  if (state.kind === 'extract')
    return done(
      reviewedRuling(unsupported ? 'REJECT' : 'WARN', mechanical, { ...base, endedBy: 'rules' }, input),
    );
  if (state.failed !== null)
    return done(reviewedRuling('REJECT', mechanical, { ...base, endedBy: 'analyst' }, input));
  const before = input.previous.review ?? null;
  const question = criticQuestion(
    {
      request: requestIn(brief),
      evidence: input.evidence,
      draft: state.draft,
      findings: mechanical,
      before,
    },
    ports.prompts,
  );
  const { criticTimeoutMs: timeoutMs, maxRetries } = options;
  const until = endsBy(brief, ports.run.settings);
  const asked = await askRole(question, { timeoutMs, maxRetries, until }, ports);
  if ('failed' in asked) {
    const criticFailed = asked.failed;
    const missing = { id: 'not_reviewed', code: 'not_reviewed', message: `not reviewed: ${criticFailed}` };
    const said = { ...base, criticFailed, endedBy: 'not-reviewed' as const };
    return done(reviewedRuling('WARN', [missing, ...mechanical], said, input));
  }
  const outcome = ruledAnswer(asked.value, checked, mechanical, input, ports, options);
  if (!('artifact' in outcome)) return outcome;
  return { ...outcome, artifact: { ...outcome.artifact, promptId: question.id } };
};

const NOTHING_SAID: Omit<ResearchReview, 'share' | 'endedBy' | 'fresh' | 'repeated' | 'solved'> = {
  said: null,
  critique: '',
  suggestions: [],
  modeCompliance: null,
  logicalGaps: [],
  converged: false,
};

function unreviewed(kind: 'error' | 'sources', input: ReviewInput): Review {
  const what = { ...NOTHING_SAID, share: 0, endedBy: 'no-draft' as const };
  return reviewedRuling(kind === 'error' ? 'REJECT' : 'WARN', [], what, input);
}

function ruledAnswer(
  answer: CriticAnswer,
  checked: ReportCheck,
  mechanical: readonly Finding[],
  input: ReviewInput,
  { run }: StagePorts,
  { maxRounds }: ResearchOptions,
): Outcome<Review> {
  const { status, critique, suggestions, modeCompliance, logicalGaps } = answer;
  const { share } = checked;
  const strict = status === 'PASS' && (modeCompliance === '違反' || (share ?? 0) < 1);
  const ruling = strict || !isSupported(checked) ? 'REJECT' : status;
  const gaps = logicalGaps.map((gap) => finding('logical_gap', gap, gap));
  const violated =
    modeCompliance === '違反' ? [finding('mode_violated', '', critique || '違反查證方式')] : [];
  // If a ruling has no other reason, the critique itself is the reason.
  const own = [...mechanical, ...violated, ...gaps];
  const all =
    ruling === 'REJECT' && own.length === 0 ? [finding('critique', critique, critique || 'REJECT')] : own;
  const said = { said: status, critique, suggestions, modeCompliance, logicalGaps, share };
  const as = (endedBy: ResearchReview['endedBy'], converged: boolean) =>
    reviewedRuling(ruling, all, { ...said, converged, endedBy }, input);
  if (ruling !== 'REJECT') return done(as(null, true));
  if (run.round >= maxRounds) return done(as('rounds', false));
  const next = as(null, false);
  return isStuck(next, input) ? done(as('repeated', false)) : revise(next);
}

/**
 * Returns whether a source supports at least one sentence, without which a report proves nothing.
 */
const isSupported = ({ sentences }: ReportCheck): boolean =>
  sentences.some(({ state }) => state === 'verified');

const nothingSupported = (language: 'zh' | 'en'): Finding => ({
  id: 'nothing_supported',
  code: 'nothing_supported',
  message: WORDS[language].nothingSupported,
});

/** Returns whether the findings are the same as before, so that another round would change nothing. */
function isStuck({ answer }: Review, { previous }: ReviewInput): boolean {
  const { fresh, solved, repeated } = answer as unknown as ResearchReview;
  return previous.review !== undefined && fresh.length === 0 && solved.length === 0 && repeated.length > 0;
}

function reviewedRuling(
  ruling: Review['ruling'],
  found: readonly Finding[],
  said: Omit<ResearchReview, 'fresh' | 'repeated' | 'solved'>,
  { previous }: ReviewInput,
): Review {
  const findings = [...new Map(found.map((one) => [one.id, one])).values()].slice(0, MAX_FINDINGS);
  const before = previous.review?.findings ?? [];
  const ids = new Set(findings.map(({ id }) => id));
  const known = new Set(before.map(({ id }) => id));
  const answer: ResearchReview = {
    ...said,
    fresh: [...ids].filter((id) => !known.has(id)),
    repeated: [...ids].filter((id) => known.has(id)),
    solved: before.filter(({ id }) => !ids.has(id)),
  };
  return { ruling, findings, reviewer: NAME, answer: answer as unknown as JsonObject };
}

/** Returns the program's findings on the sentences of a draft. Equal findings have equal ids. */
function reportCheckFindings({ sentences }: ReportCheck, language: 'zh' | 'en'): Finding[] {
  return sentences.flatMap(({ text, ids, problems }) =>
    problems.map(({ code, what }) => ({
      id: `${code}:${ids.join('+')}:${inLine(what, 120)}`,
      code,
      message: problemMessage(PROBLEM_WORDS[language][code], what, text, language),
    })),
  );
}

function problemMessage(problem: string, what: string, text: string, language: 'zh' | 'en'): string {
  const shown = inLine(text, 160);
  return language === 'zh'
    ? `「${shown}」：${problem}（${inLine(what, 120)}）`
    : `“${shown}” ${problem}: ${inLine(what, 120)}`;
}

function finding(code: string, key: string, message: string): Finding {
  const normal = key
    .normalize('NFKC')
    .replace(/[\s\p{P}]+/gu, '')
    .toLowerCase();
  const id = createHash('sha256').update(normal).digest('hex').slice(0, 12);
  return { id: normal === '' ? code : `${code}:${id}`, code, message: inLine(message, 600) };
}
