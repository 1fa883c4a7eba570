import { asksForSections, sectionsOf } from './agent/choose-sections.js';
import { asksForAgent, readConversation } from './agent/conversation.js';
import { agentTurn } from './agent/react-agent.js';
import type { Answer } from './answer.js';
import { asksForScreening, screeningOf } from './message-screening.js';
import { textOf } from './question.js';
import type { Question } from './question.js';
import { sampleJson } from './sample-json.js';
import { simulateVerdict } from './scam-verdict.js';

/** An answer made from the prompt, always the same for the same prompt. It says of itself that it is simulated. */
export function answerByRules(question: Question): Answer {
  if (asksForAgent(question)) return agentTurn(readConversation(question));
  const tool = toolToCall(question);
  if (tool !== undefined) return callOf(tool);
  if (asksForSections(question)) return sectionsOf(question);
  if (asksForVerdict(question)) return verdictOf(question);
  if (asksForScreening(question)) return screeningOf(question);
  const reasoning = 'Simulated reasoning: there is no rule for this question.';
  if (question.schema !== undefined)
    return { content: JSON.stringify(sampleJson(question.schema)), reasoning };
  if (question.json) return { content: '{"simulated":true}', reasoning };
  return { content: 'Simulated answer, made by rules and not by a language model.', reasoning };
}

/** Does the prompt ask for the answer of `scam-verdict`? */
export function asksForVerdict(question: Question): boolean {
  const named = JSON.stringify(question.schema ?? {}).includes('"riskLevel"');
  return named || textOf(question, 'system', 'user').includes('riskLevel');
}

function verdictOf(question: Question): Answer {
  const verdict = simulateVerdict(textOf(question, 'user'));
  const basis = verdict.evidenceUsed.join(', ') || 'no evidence';
  const reasoning = `Simulated reasoning: cue words and ${basis} were weighed; that makes the risk ${verdict.riskLevel}.`;
  return { content: JSON.stringify(verdict), reasoning };
}

/** The first tool on offer, once: after a tool's answer it goes on without, unless it must. */
function toolToCall({ mayCallTools, mustCallTools, turns, tools }: Question) {
  const first = turns.every(({ role }) => role !== 'tool');
  return mustCallTools || (mayCallTools && first) ? tools[0] : undefined;
}

function callOf({ name, parameters }: Question['tools'][number]): Answer {
  const toolCalls = [{ id: 'call_sim_1', name, arguments: JSON.stringify(sampleJson(parameters)) }];
  return { content: '', reasoning: `Simulated reasoning: ${name} is the first tool on offer.`, toolCalls };
}
