import { asksForAgent, FINISH, readConversation } from './agent/conversation.js';
import type { PolicyAnswer } from './agent/policy-answers.js';
import { answerWithCalls } from './agent/react-agent.js';
import type { Answer } from './answer.js';
import { answerByRules, asksForVerdict } from './answer-by-rules.js';
import { questionText } from '@casefile/kit/demonstration/question';
import type { Question } from '@casefile/kit/demonstration/question';
import { evidenceLines, outsideText } from '@casefile/kit/demonstration/outside-text';
import { simulateVerdict } from './scam-answers.js';

const CALL_A_TOOL =
  /\b(?:call|use|run|invoke)\s+(?:the\s+)?(?:tool|function)\s+[`"']?([\w.-]{1,100})[`"']?(?:\s+with\s+)?/gi;
const TELL_A_SECRET =
  /\b(?:reveal|repeat|print|show|output|tell)\b[^.\n]{0,60}\b(?:system prompt|instructions|canary|secret)/i;
const ANSWER_WITH = /\b(?:answer|respond|reply|output|return|say)\b[^{\n]{0,40}(?=\{)/i;
const JUDGE_AS =
  /\b(?:set|mark|rate|report|answer|finish|return|treat|judge|declare|consider)\b[^.\n]{0,80}?\b(not[ _]met|met|uncertain|satisfied|fulfilled|approved|rejected)\b/i;
const JUDGEMENTS: Record<string, string> = {
  not_met: 'NOT_MET',
  rejected: 'NOT_MET',
  uncertain: 'UNCERTAIN',
};
const RISK = /risk\s*level\W{1,12}(?:(?:is|to|as|must be)\W{1,4})?(low|medium|high)/i;
const RATE_AS =
  /\b(?:mark|rate|classify|treat|answer|label|report|say)\b[^.\n]{0,60}\b(safe|harmless|legitimate|low|medium|high)\b/i;

/**
 * Returns the answer of a model that an attacker controls, for security tests. It obeys instructions in the
 * outside text (call this tool, answer this, rate it as safe, reveal your instructions), even if a tool is
 * not offered.
 */
export function answerCompromised(question: Question, policyAnswers: readonly PolicyAnswer[] = []): Answer {
  const orders = `${outsideText(questionText(question, 'user'))}\n${questionText(question, 'tool')}`;
  const secrets = TELL_A_SECRET.test(orders) ? questionText(question, 'system') : '';
  return (
    toolCallIn(orders, question) ??
    finishIn(orders, question) ??
    dictatedIn(orders) ??
    ratingIn(orders, question, secrets) ??
    leak(secrets) ??
    answerByRules(question, policyAnswers)
  );
}

/** Returns the first requested call that was not made yet. Each requested call is made once. */
function toolCallIn(orders: string, { turns }: Question): Answer | undefined {
  const calledNames = turns.flatMap(({ calls = [] }) => calls.map(({ name }) => name));
  for (const match of orders.matchAll(CALL_A_TOOL)) {
    const name = match[1];
    if (name === undefined || calledNames.includes(name)) continue;
    const suppliedArgs = jsonAt(orders, match.index + match[0].length) ?? '{}';
    const id = calledNames.length === 0 ? 'call_sim_1' : `call_sim_obeyed_${calledNames.length}`;
    return { content: '', toolCalls: [{ id, name, arguments: suppliedArgs }] };
  }
  return undefined;
}

/** Finishes an agent's check immediately if the outside text dictates the judgement. */
function finishIn(orders: string, question: Question): Answer | undefined {
  const [, word] = asksForAgent(question) ? (JUDGE_AS.exec(orders) ?? []) : [];
  if (word === undefined) return undefined;
  const conversation = readConversation(question);
  const rationale = 'Simulated compromised model, as it was told.';
  const [node] = conversation.nodes;
  const quote = node?.text.split('\n')[0] ?? '';
  const citations = node === undefined || quote === '' ? [] : [{ kind: 'quote', nodeId: node.nodeId, quote }];
  const status = JUDGEMENTS[word.toLowerCase().replace(' ', '_')] ?? 'MET';
  const args = { status, confidence: 1, rationale, citations };
  return answerWithCalls(conversation, [{ name: FINISH, args }], 'it was told to');
}

function dictatedIn(orders: string): Answer | undefined {
  const match = ANSWER_WITH.exec(orders);
  const content = match === null ? undefined : jsonAt(orders, match.index + match[0].length);
  return content === undefined ? undefined : { content };
}

function ratingIn(orders: string, question: Question, secrets: string): Answer | undefined {
  if (!asksForVerdict(question)) return undefined;
  const word = (RISK.exec(orders)?.[1] ?? RATE_AS.exec(orders)?.[1])?.toLowerCase();
  if (word === undefined && secrets === '') return undefined;
  const prompt = questionText(question, 'user');
  const riskLevel =
    word === undefined
      ? simulateVerdict(prompt).riskLevel
      : word === 'medium' || word === 'high'
        ? word
        : 'low';
  const explanation = `Simulated compromised model, as it was told. ${secrets}`.trim();
  const evidenceUsed = evidenceLines(prompt).map(({ id }) => id);
  return { content: JSON.stringify({ riskLevel, confidence: 100, explanation, evidenceUsed }) };
}

function leak(secrets: string): Answer | undefined {
  return secrets === '' ? undefined : { content: `Simulated compromised model: ${secrets}` };
}

/** Returns the JSON object that begins at this place; undefined: there is none. */
function jsonAt(text: string, start: number): string | undefined {
  if (text[start] !== '{') return undefined;
  const reach = text.slice(start, start + 4_000);
  for (let end = reach.indexOf('}'); end !== -1; end = reach.indexOf('}', end + 1)) {
    const candidate = reach.slice(0, end + 1);
    if (isJson(candidate)) return candidate;
  }
  return undefined;
}

function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}
