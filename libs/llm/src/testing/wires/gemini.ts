import type { JsonObject } from '@casefile/contracts';
import type { AnswerBehaviour } from '../provider-behaviour.js';
import { argumentsObject, MODEL, NO_USAGE, pieces } from './wire.js';
import type { FakeWire } from './wire.js';

/** An answer of generateContent as Google documents it; the part after its thoughts is signed. */
export function geminiBody(answer: AnswerBehaviour): JsonObject {
  return chunk(partsOf(answer, [answer.content]), answer, true);
}

function events(answer: AnswerBehaviour, length?: number): JsonObject[] {
  const thoughts = pieces(answer.reasoning ?? '', length).map((text) => ({ text, thought: true }));
  const rest = partsOf({ ...answer, reasoning: undefined }, pieces(answer.content, length), answer.reasoning);
  const parts: JsonObject[] = [...thoughts, ...rest];
  const [last, ...before] = [...parts].reverse();
  return [
    ...before.reverse().map((part) => chunk([part], answer, false)),
    chunk(last === undefined ? [] : [last], answer, true),
  ];
}

export const fakeGemini: FakeWire = {
  basePath: '/v1beta',
  named: false,
  endMark: null,
  body: geminiBody,
  events,
  failure: ({ status, code, message }) => ({
    error: {
      code: status,
      message: message ?? `told to answer ${status}`,
      status: code ?? 'TOLD',
      details: [],
    },
  }),
};

const FINISH: Record<string, string> = {
  stop: 'STOP',
  length: 'MAX_TOKENS',
  tool_calls: 'STOP',
  content_filter: 'SAFETY',
};

function chunk(parts: JsonObject[], answer: AnswerBehaviour, last: boolean): JsonObject {
  const word = answer.refusal === undefined ? (answer.finishReason ?? 'stop') : 'content_filter';
  const finish: JsonObject = last ? { finishReason: FINISH[word] ?? word } : {};
  return {
    candidates: [{ content: { parts, role: 'model' }, index: 0, ...finish }],
    usageMetadata: usageOf(answer),
    modelVersion: MODEL,
    responseId: 'response-1',
  };
}

type Parts = Omit<AnswerBehaviour, 'reasoning'> & { reasoning?: string | undefined };

function partsOf(
  { reasoning, toolCalls }: Parts,
  texts: string[],
  thought: string | undefined = reasoning,
): JsonObject[] {
  const calls = (toolCalls ?? []).map(({ id, name, arguments: text }) => ({
    functionCall: { id, name, args: argumentsObject(text) },
  }));
  const said = texts.filter((text) => text !== '').map((text) => ({ text }));
  const answered: JsonObject[] = [...said, ...calls];
  const at = said.length > 0 && calls.length > 0 ? said.length : 0;
  const signature = `signed-${Buffer.from(thought ?? '').toString('base64')}`;
  const signed = answered.map((part, index) =>
    thought !== undefined && index === at ? { ...part, thoughtSignature: signature } : part,
  );
  return [...(reasoning === undefined ? [] : [{ text: reasoning, thought: true }]), ...signed];
}

function usageOf({ usage: { input, output, reasoning, cached } = NO_USAGE }: AnswerBehaviour): JsonObject {
  return {
    promptTokenCount: input,
    candidatesTokenCount: output - reasoning,
    thoughtsTokenCount: reasoning,
    cachedContentTokenCount: cached,
    totalTokenCount: input + output,
  };
}
