import type { Answer } from './answer.js';
import { schemaOf, textOf } from './chat-request.js';
import type { ChatRequest } from './chat-request.js';
import { sampleJson } from './sample-json.js';
import { simulateVerdict } from './scam-verdict.js';

/** An answer made from the prompt, always the same for the same prompt. It says of itself that it is simulated. */
export function answerByRules(request: ChatRequest): Answer {
  const tool = toolToCall(request);
  if (tool !== undefined) return callOf(tool);
  if (asksForVerdict(request)) return verdictOf(request);
  const schema = schemaOf(request);
  const reasoning = 'Simulated reasoning: there is no rule for this question.';
  if (schema !== undefined) return { content: JSON.stringify(sampleJson(schema)), reasoning };
  if (request.response_format?.type === 'json_object') return { content: '{"simulated":true}', reasoning };
  return { content: 'Simulated answer, made by rules and not by a language model.', reasoning };
}

/** Does the prompt ask for the answer of `scam-verdict`? */
export function asksForVerdict(request: ChatRequest): boolean {
  const named = JSON.stringify(schemaOf(request) ?? {}).includes('"riskLevel"');
  return named || textOf(request, 'system', 'user').includes('riskLevel');
}

function verdictOf(request: ChatRequest): Answer {
  const verdict = simulateVerdict(textOf(request, 'user'));
  const basis = verdict.evidenceUsed.join(', ') || 'no evidence';
  const reasoning = `Simulated reasoning: cue words and ${basis} were weighed; that makes the risk ${verdict.riskLevel}.`;
  return { content: JSON.stringify(verdict), reasoning };
}

/** The first tool on offer, once: after a tool's answer it goes on without. */
function toolToCall(request: ChatRequest) {
  const mayCall = request.tool_choice !== 'none' && request.messages.every(({ role }) => role !== 'tool');
  return mayCall ? request.tools?.[0]?.function : undefined;
}

function callOf({
  name,
  parameters,
}: {
  name: string;
  parameters?: Parameters<typeof sampleJson>[0] | undefined;
}): Answer {
  const toolCalls = [{ id: 'call_sim_1', name, arguments: JSON.stringify(sampleJson(parameters ?? {})) }];
  return { content: '', reasoning: `Simulated reasoning: ${name} is the first tool on offer.`, toolCalls };
}
