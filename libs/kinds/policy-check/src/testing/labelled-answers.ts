import { readdirSync, readFileSync } from 'node:fs';
import {
  citableFacts,
  z,
  type Citation,
  type CriterionResult,
  type Fact,
  type JsonObject,
} from '@casefile/contracts';
import type { ReviewInput } from '@casefile/pipeline/stage-parts';
import { options } from '../options.js';
import { settledResult } from '../result.js';
import { aCriterionDraft, aCriterionResult, aPolicyBrief, sectionsFound } from './policy-builders.js';

const SETS = new URL('../../../../../samples/eval/trust/', import.meta.url);
const text = z.string().min(1);
const quote = z.tuple([text, text]);
const facts = z.record(text, z.union([text, z.tuple([text, text])]));
const scenarioSchema = z.object({
  id: text,
  language: text,
  title: text,
  sections: z.record(text, text),
  criteria: z.array(
    z.object({
      text,
      quotes: z.array(quote).min(1),
      variants: z.array(z.object({ facts, status: z.enum(['MET', 'NOT_MET', 'UNCERTAIN']), why: text })),
      wrong: z.array(
        z.object({
          variant: z.number(),
          status: z.enum(['MET', 'NOT_MET']),
          why: text,
          quotes: z.array(quote),
        }),
      ),
    }),
  ),
});
type Scenario = z.infer<typeof scenarioSchema>;

/** An answer of a labelled set, as the reasoning stage leaves it for the review. */
export interface LabelledAnswer {
  id: string;
  isHonest: boolean;
  /** Sort of the wrong answer of its pair; null: the answer belongs to the set without sorts. */
  sort: string | null;
  input: ReviewInput;
  result: CriterionResult;
}

/**
 * Returns the answers of samples/eval/trust about policies: the pairs of each sort, or those of `policy-check.jsonl`.
 * @param set `sorts`, or a file of pairs in the same form.
 */
export function labelledAnswers(set: 'sorts' | 'policy-check' | URL): LabelledAnswer[] {
  const files: [string | null, URL][] =
    set === 'sorts'
      ? readdirSync(new URL('sorts/', SETS))
          .filter((file) => file.startsWith('policy-'))
          .sort()
          .map((file) => [file.slice('policy-'.length, -'.jsonl'.length), new URL(`sorts/${file}`, SETS)])
      : [[null, typeof set === 'string' ? new URL(`${set}.jsonl`, SETS) : set]];
  return files.flatMap(([sort, file]) =>
    readFileSync(file, 'utf8')
      .trim()
      .split('\n')
      .flatMap((line) => answersOf(scenarioSchema.parse(JSON.parse(line)), sort)),
  );
}

function answersOf(scenario: Scenario, sort: string | null): LabelledAnswer[] {
  return scenario.criteria.flatMap(({ text: asked, quotes, variants, wrong }, at) => [
    ...variants.map((variant, place) => ({
      ...answerOf(scenario, asked, { ...variant, quotes }),
      id: `${scenario.id}-${at + 1}-h${place + 1}`,
      isHonest: true,
      sort,
    })),
    ...wrong.map((one, place) => ({
      ...answerOf(scenario, asked, { ...one, facts: variants[one.variant]!.facts }),
      id: `${scenario.id}-${at + 1}-w${place + 1}`,
      isHonest: false,
      sort,
    })),
  ]);
}

type Given = Pick<Scenario['criteria'][number]['wrong'][number], 'why' | 'quotes'> & {
  status: CriterionResult['status'];
  facts: z.infer<typeof facts>;
};

function answerOf(
  { language, title, sections }: Scenario,
  asked: string,
  { status, why, quotes, facts: given }: Given,
): Pick<LabelledAnswer, 'input' | 'result'> {
  const values = Object.entries(given).map(([name, fact]): Fact => {
    const [value, unit] = typeof fact === 'string' ? [fact] : fact;
    const isNumber = unit !== undefined && /^\d+(?:\.\d+)?$/.test(value);
    return {
      name,
      value: isNumber ? Number(value) : value,
      confidence: 0.98,
      ...(unit === undefined ? {} : { unit }),
    };
  });
  const read = Object.entries(sections).map(([head, body]) => ({
    nodeId: head,
    title: head,
    text: body,
    pages: null,
  }));
  const nodeOf = (number: string) =>
    read.find(({ title: head }) => head.split(' ')[0] === number)?.nodeId ?? number;
  const citations: Citation[] = [
    ...quotes.map(([section, words]) => ({ kind: 'quote' as const, nodeId: nodeOf(section), quote: words })),
    ...values.map(({ name, value, unit }) => ({
      kind: 'fact' as const,
      fact: `${name}#1`,
      value,
      ...(unit === undefined ? {} : { unit }),
    })),
  ];
  const ground = {
    sections: new Map(read.map((section) => [section.nodeId, section])),
    facts: citableFacts(values),
    lookUps: [],
  };
  const settled = settledResult(
    { status, confidence: 0.93, rationale: why, citations },
    ground,
    options.read({} as JsonObject),
  );
  const result = aCriterionResult({
    id: 'c1',
    text: asked,
    ...settled.result,
    reasonCode: settled.reasonCode,
  });
  const policy = { policyId: 'p', version: 1, title, language };
  return {
    result,
    input: {
      brief: aPolicyBrief([{ id: 'c1', text: asked }], { facts: values, policy }),
      evidence: sectionsFound(...read),
      draft: aCriterionDraft(result, {
        answer: {
          ...result,
          sections: read.map(({ nodeId, title: head, text: body }) => ({ nodeId, title: head, text: body })),
        } as unknown as JsonObject,
      }),
      previous: {},
    },
  };
}
