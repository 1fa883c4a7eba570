import { textStems } from './agent/content-words.js';
import { asksForAgent, readConversation } from './agent/conversation.js';
import type { PolicyAnswer } from './agent/policy-answers.js';
import { agentTurn } from './agent/react-agent.js';
import type { Answer } from './answer.js';
import { asksForExamination, answerExamination } from './cross-examination.js';
import { fencedAfter, outsideText, withoutFenced } from '@casefile/kit/demonstration/outside-text';
import { questionText, type Question } from '@casefile/kit/demonstration/question';
import { asksForScreening, answerScreening, simulateVerdict } from './scam-answers.js';
import { isObject, type Json, type JsonObject } from '@casefile/contracts';

/**
 * Returns an answer made from the prompt, always the same for the same prompt. The answer states that it is
 * simulated.
 * @param policyAnswers Answers of the script for criteria of policies.
 */
export function answerByRules(question: Question, policyAnswers: readonly PolicyAnswer[] = []): Answer {
  if (asksForAgent(question)) return agentTurn(readConversation(question, policyAnswers));
  const tool = toolToCall(question);
  if (tool !== undefined) return sampleCall(tool);
  if (asksForReflection(question)) return answerReflection(question);
  if (asksForExamination(question)) return answerExamination(question);
  if (asksForSections(question)) return answerSections(question);
  if (asksForVerdict(question)) return answerVerdict(question);
  if (asksForScreening(question)) return answerScreening(question);
  const reasoning = 'Simulated reasoning: there is no rule for this question.';
  if (question.schema !== undefined)
    return { content: JSON.stringify(sampleJson(question.schema)), reasoning };
  if (question.json) return { content: '{"simulated":true}', reasoning };
  return { content: 'Simulated answer, made by rules and not by a language model.', reasoning };
}

/** Returns whether the prompt asks for another text of a prompt. */
function asksForReflection(question: Question): boolean {
  return questionText(question, 'system').startsWith('You improve the prompt of another language model.');
}

/** Returns the present text with one more sentence in its first section. */
function answerReflection(question: Question): Answer {
  const words = questionText(question, 'user');
  const [, fenced = ''] = words.split('The present text:\n<<<DATA ');
  const parent = fenced.slice(fenced.indexOf('\n') + 1, fenced.indexOf('\nDATA '));
  const sentence = `Weigh each item of evidence ${words.split('A change that was dropped').length} times.`;
  const text = parent.replace(/^(<!-- section: [\w-]+ -->\n)/, `$1${sentence}\n`);
  return {
    content: JSON.stringify({ reason: 'Simulated: one sentence was added.', text }),
    reasoning: 'Simulated reasoning: the text gets one more sentence.',
  };
}

/** Returns whether the prompt asks for the answer of `scam-verdict`. */
export function asksForVerdict(question: Question): boolean {
  const isInSchema = JSON.stringify(question.schema ?? {}).includes('"riskLevel"');
  return isInSchema || questionText(question, 'system', 'user').includes('riskLevel');
}

function answerVerdict(question: Question): Answer {
  const verdict = simulateVerdict(questionText(question, 'user'));
  const basis = verdict.evidenceUsed.join(', ') || 'no evidence';
  const reasoning = `Simulated reasoning: cue words and ${basis} were weighed; that makes the risk ${verdict.riskLevel}.`;
  return { content: JSON.stringify(verdict), reasoning };
}

/**
 * Returns a call of the first offered tool. After a tool's result it returns none, unless a call is required.
 */
function toolToCall({ mayCallTools, mustCallTools, turns, tools }: Question) {
  const first = turns.every(({ role }) => role !== 'tool');
  return mustCallTools || (mayCallTools && first) ? tools[0] : undefined;
}

function sampleCall({ name, parameters }: Question['tools'][number]): Answer {
  const toolCalls = [{ id: 'call_sim_1', name, arguments: JSON.stringify(sampleJson(parameters)) }];
  return { content: '', reasoning: `Simulated reasoning: ${name} is the first tool on offer.`, toolCalls };
}

const DEEPEST = 8;

/** Returns a small JSON value that fits a JSON Schema, for questions without a rule. */
function sampleJson(schema: JsonObject, depth = 0): Json {
  if (schema.const !== undefined) return schema.const;
  if (Array.isArray(schema.enum)) return schema.enum[0] ?? null;
  const [alternative] = [schema.anyOf, schema.oneOf].flatMap((list) =>
    Array.isArray(list) ? list.slice(0, 1) : [],
  );
  if (isObject(alternative)) return sampleJson(alternative, depth + 1);
  const type = Array.isArray(schema.type) ? schema.type[0] : schema.type;
  switch (type) {
    case 'string':
      return 'simulated'
        .padEnd(Number(schema.minLength ?? 0), '.')
        .slice(0, Number(schema.maxLength ?? 10_000));
    case 'number':
    case 'integer':
      return (
        Number(schema.minimum ?? schema.exclusiveMinimum ?? 0) +
        (schema.exclusiveMinimum === undefined ? 0 : 1)
      );
    case 'boolean':
      return false;
    case 'null':
      return null;
    case 'array':
      return sampleArray(schema, depth);
    default:
      return sampleObject(schema, depth);
  }
}

function sampleArray(schema: JsonObject, depth: number): Json {
  if (!isObject(schema.items) || depth > DEEPEST) return [];
  const item = sampleJson(schema.items, depth + 1);
  return Array.from({ length: Math.min(Number(schema.minItems ?? 0), 10) }, () => item);
}

function sampleObject(schema: JsonObject, depth: number): Json {
  if (!isObject(schema.properties) || depth > DEEPEST) return {};
  const parts = Object.entries(schema.properties);
  return Object.fromEntries(
    parts.map(([name, part]) => [name, isObject(part) ? sampleJson(part, depth + 1) : null]),
  );
}

/** Number of sections to choose if the prompt names no limit. */
const USUAL_LIMIT = 4;
const LIMIT = /\b(?:at most|up to|no more than)\s+(\d+)|\b(\d+)\s+(?:sections?|ids?|node ids?)\s+at most\b/i;
const SECTION = /^\s*\[([^\]\s]+)\](.*)$/;

/** Returns whether the prompt asks which sections of a document are relevant. */
function asksForSections(question: Question): boolean {
  if (JSON.stringify(question.schema ?? {}).includes('"nodeIds"')) return true;
  return question.tools.length === 0 && textOutsideFences(question).includes('"nodeIds"');
}

/** Returns the sections that share the most words with the question, best first. Rare words decide a tie. */
function answerSections(question: Question): Answer {
  const prompt = questionText(question, 'user');
  const questionStems = textStems(fencedAfter(prompt, 'Question') ?? '');
  const offered = (fencedAfter(prompt, 'Sections') ?? outsideText(prompt)).split('\n').flatMap((line) => {
    const [, nodeId, text = ''] = SECTION.exec(line) ?? [];
    return nodeId === undefined ? [] : [{ nodeId, stems: textStems(text) }];
  });
  const having = new Map<string, number>();
  for (const stem of offered.flatMap(({ stems }) => [...stems]))
    having.set(stem, (having.get(stem) ?? 0) + 1);
  const scored = offered.map(({ nodeId, stems }, at) => {
    const common = [...stems].filter((stem) => questionStems.has(stem));
    return {
      nodeId,
      at,
      common: common.length,
      rare: common.reduce((sum, stem) => sum + 1 / (having.get(stem) ?? 1), 0),
    };
  });
  const nodeIds = scored
    .filter(({ common }) => common > 0)
    .sort((a, b) => b.common - a.common || b.rare - a.rare || a.at - b.at)
    .slice(0, limitIn(question))
    .map(({ nodeId }) => nodeId);
  const reasoning = `Simulated reasoning: ${nodeIds.length} of ${offered.length} sections share words with the question.`;
  return { content: JSON.stringify({ nodeIds }), reasoning };
}

/** Returns the prompt's text outside its fences. */
function textOutsideFences(question: Question): string {
  return withoutFenced(questionText(question, 'system', 'user'));
}

function limitIn(question: Question): number {
  const [, before, after] = LIMIT.exec(textOutsideFences(question)) ?? [];
  return Number(before ?? after ?? USUAL_LIMIT);
}
