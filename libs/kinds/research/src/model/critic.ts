import { z, type Evidence, type Finding, type Question, type Review } from '@casefile/contracts';
import { oneOf } from '@casefile/pipeline/answers/fit-to-schema';
import { readObject } from '@casefile/pipeline/answers/read-object';
import { fencedText } from '@casefile/pipeline/fence';
import { inLine } from '@casefile/pipeline/plain-text';
import { type PromptTexts } from '@casefile/pipeline/prompts/prompt';
import type { ResearchRequest } from '../read-input.js';
import { sourcesIn } from '../result.js';
import { descriptionList, propertyObject, descriptionText } from './ask-role.js';
import { PROMPTS } from './prompts.js';
import { modeInWords, shownDraft, shownFindings, shownReview, shownSources } from './show.js';
import { markRetry, schemaText } from '@casefile/pipeline/ask';

const MAX_OUTPUT_TOKENS = 2_000;
const MOST = 20;
/** Words that models write instead of the stored values 符合 (complies) and 違反 (violates). */
const COMPLIES = /^(?:符合|合規|遵守|compliant|complies|conform(?:s|ing)?|yes|ok|pass|true)$/iu;
const VIOLATES = /^(?:違反|违反|不符合|violat(?:es|ed|ion|ing)|non-?compliant|no|fail(?:s|ed)?|false)$/iu;

const lines = z
  .array(z.string({ error: 'expected a text' }))
  .nullish()
  .transform((list) =>
    (list ?? [])
      .map((one) => inLine(one, 500))
      .filter((one) => one !== '')
      .slice(0, MOST),
  );
const criticSchema = z.object({
  status: z
    .string({ error: 'expected PASS, WARN or REJECT' })
    .meta(oneOf(['PASS', 'WARN', 'REJECT']))
    .transform((word) => word.trim().toUpperCase())
    .pipe(z.enum(['PASS', 'WARN', 'REJECT'], { error: 'expected PASS, WARN or REJECT' })),
  critique: z
    .string({ error: 'expected a text' })
    .nullish()
    .transform((text) => (text ?? '').trim()),
  suggestions: lines,
  modeCompliance: z
    .union([z.string(), z.boolean().transform(String)], { error: 'expected 符合 or 違反' })
    .transform((word, context) => {
      const said = word.trim();
      if (COMPLIES.test(said)) return '符合' as const;
      if (VIOLATES.test(said)) return '違反' as const;
      context.addIssue({ code: 'custom', message: 'expected 符合 or 違反' });
      return z.NEVER;
    }),
  logicalGaps: lines,
});
export type CriticAnswer = z.output<typeof criticSchema>;

const SCHEMA = propertyObject({
  status: { type: 'string', enum: ['PASS', 'WARN', 'REJECT'] },
  critique: descriptionText('The judgement in a few sentences'),
  suggestions: descriptionList('What to change, each by its sentence'),
  modeCompliance: { type: 'string', enum: ['符合', '違反'] },
  logicalGaps: descriptionList('What the draft concludes or claims without its sources'),
});

/** Builds the question for a review of a draft, from its sources and the findings of the program. */
export function criticQuestion(
  input: {
    request: ResearchRequest;
    evidence: Evidence;
    draft: string;
    findings: readonly Finding[];
    before: Review | null;
  },
  prompts: PromptTexts,
): Question<CriticAnswer> {
  const { request, evidence, draft, findings, before } = input;
  const text = prompts.of(PROMPTS.critic[request.language]);
  const sources = shownSources(sourcesIn(evidence));
  const found = findings.length === 0 ? '-' : shownFindings(findings);
  return {
    id: text.id,
    kind: 'critique',
    level: 'high',
    system: text.render({ system: {} }),
    render: (mark, wrong) =>
      text.render({
        query: { query: fencedText(request.query, mark) },
        mode: { mode: modeInWords(request) },
        sources: { sources: fencedText(sources, mark) },
        draft: { draft: fencedText(shownDraft(draft), mark) },
        findings: { findings: fencedText(found, mark) },
        before: before === null ? [] : { before: fencedText(shownReview(before), mark) },
        task: { schema: schemaText(SCHEMA) },
        retry: markRetry(mark, wrong),
      }),
    answer: { name: 'research_review', schema: SCHEMA },
    maxOutputTokens: MAX_OUTPUT_TOKENS,
    read: (content) => readObject(criticSchema, content),
  };
}
