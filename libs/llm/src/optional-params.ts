import {
  CasefileError,
  type Clock,
  type Json,
  type JsonObject,
  type ModelRequest,
} from '@casefile/contracts';
import type { ProviderEntry } from './provider-entry.js';
import { reasoningParamsOf } from './thinking-room.js';
import { holdsOff, requiresCall } from './tool-calls.js';
import { withToolsAsText } from './tools-as-text.js';

/** A request as it is sent, without what was refused. */
export interface Asking {
  entry: ProviderEntry;
  request: ModelRequest;
  reasoningParams: JsonObject;
}

/** A parameter that a request is repeated without if its server refuses it: S2-04, S2-07, S4-01. */
interface OptionalParam {
  /** Does this request have it? */
  isMade(asking: Asking): boolean;
  /** Is an error about it? `said`: its words in lower case. */
  isNamed(said: string, asking: Asking): boolean;
  without(asking: Asking): Asking;
}

const withEntry = (asking: Asking, over: Partial<ProviderEntry>): Asking => ({
  ...asking,
  entry: { ...asking.entry, ...over },
});
const namesReasoning = (said: string, { reasoningParams }: Asking): boolean => {
  const keys = keysIn(reasoningParams).filter((key) => key.length >= SHORTEST_KEY);
  const words = ['thinking', 'reasoning', ...keys.flatMap((key) => [key, snakeCase(key)])];
  return words.some((word) => said.includes(word.toLowerCase()));
};
const reasoningParam = (field: 'reasoningParams' | 'reasoningOff'): OptionalParam => ({
  isMade: ({ entry, request, reasoningParams }) =>
    (request.reasoning === false) === (field === 'reasoningOff') &&
    entry[field] !== undefined &&
    Object.keys(reasoningParams).length > 0,
  isNamed: namesReasoning,
  without: (asking) => ({ ...asking, reasoningParams: {} }),
});

/** In the order in which they are looked for in an error. The names are those of the protocols in errors about them. */
const PARAMS = {
  toolChoice: {
    isMade: ({ entry, request, reasoningParams }) =>
      requiresCall(request) && !holdsOff(entry, reasoningParams),
    isNamed: (said) => /tool[ _]?choice|tool_?config|function_?calling_?config|forces tool use/.test(said),
    without: ({ request: { toolChoice: _, ...request }, ...asking }) => ({ ...asking, request }),
  },
  reasoningParams: reasoningParam('reasoningParams'),
  reasoningOff: reasoningParam('reasoningOff'),
  answerSchema: {
    isMade: ({ entry, request }) => request.answerSchema !== undefined && entry.structuredOutput !== 'none',
    isNamed: (said) =>
      /response_?(?:format|schema|json|mime)|response format|json[ _-]?(?:schema|mode|object|format)|structured[ _-]?output|output[_ ]?(?:config|format|schema)|text\.format|guided[_ ]|grammar|failed_generation|json_validate/.test(
        said,
      ),
    without: (asking) => withEntry(asking, { structuredOutput: 'none' }),
  },
  temperature: {
    isMade: ({ entry, request }) =>
      request.temperature !== undefined && entry.sendsTemperature && entry.protocol !== 'anthropic',
    isNamed: (said) => said.includes('temperature'),
    without: (asking) => withEntry(asking, { sendsTemperature: false }),
  },
  strictTools: {
    isMade: ({ entry, request: { tools = [] } }) => entry.strictTools && tools.length > 0,
    isNamed: (said) => /\bstrict\b/.test(said),
    without: (asking) => withEntry(asking, { strictTools: false }),
  },
  // Not left out but described in the prompt; the calls are read from the text of the answer.
  tools: {
    isMade: ({ request: { tools = [] } }) => tools.length > 0,
    isNamed: (said) => NO_TOOLS.test(said),
    without: ({ request, ...asking }) => ({ ...asking, request: withToolsAsText(request) }),
  },
  // Not left out but sent by its other name: newer models of OpenAI take the one, most servers the other.
  maxTokensField: {
    isMade: ({ entry: { protocol } }) => protocol === 'openai-chat',
    isNamed: (said) => /max_(?:completion_)?tokens/.test(said) && REFUSES_A_NAME.test(said),
    without: (asking) =>
      withEntry(asking, {
        maxTokensField: asking.entry.maxTokensField === 'max_tokens' ? 'max_completion_tokens' : 'max_tokens',
      }),
  },
  stream: {
    isMade: ({ entry }) => entry.stream,
    isNamed: (said) =>
      /stream_options|include_usage/.test(said) ||
      (said.includes('stream') && /(?:not |un)support/.test(said)),
    without: (asking) => withEntry(asking, { stream: false }),
  },
} as const satisfies Record<string, OptionalParam>;
export type OptionalParamName = keyof typeof PARAMS;
const NAMES = Object.keys(PARAMS) as OptionalParamName[];
/** Those that an answer can do without, where an error does not say which one it is about. */
const WISHES: readonly OptionalParamName[] = [
  'toolChoice',
  'reasoningParams',
  'reasoningOff',
  'answerSchema',
  'temperature',
  'strictTools',
];

/** Words of servers without tool calls: Ollama, vLLM, llama.cpp, OpenRouter and gateways. */
const NO_TOOLS =
  /(?:not|n't) support (?:the )?(?:use of )?(?:tools?|functions?)\b|support tool use|tools? (?:use|calls?|calling) (?:is|are) not (?:supported|enabled|available)|tools (?:is|are) not (?:supported|enabled|available)|function[- _]?call(?:s|ing)? (?:is|are) not (?:supported|enabled|available)|enable-auto-tool-choice|tool-call-parser|tools param requires/;
const REFUSES_A_NAME =
  /unsupported|not (?:be )?(?:supported|permitted|allowed|recogni[sz]ed)|unknown|unrecogni[sz]ed|unexpected|extra|forbidden|instead/;
/** An error that names no parameter at all has these words alone. */
const NAMES_NONE =
  /^(?:http|error|\d+|bad|invalid|unprocessable|malformed|request|entity|content|input|json|parameters?|body|params?)$/;
const A_PARAMETER =
  /(?:unsupported|not supported|unknown|unrecogni[sz]ed|unexpected|extra|additional|invalid|requested)\b[^.]{0,40}\b(?:param|field|argument|propert|keyword|option|setting|input)|extra_forbidden|not permitted/;
/** It is the conversation that is wrong, not what was asked for: asking without would only hide that. */
const OF_THE_CONVERSATION = /cannot be modified|invalid `?signature|thought_?signature/;
const OF_THE_MESSAGES = /\bmessages?\b|\bcontents?\b|context|too long|too large|token limit|prompt/;

/** How long a refused parameter is not sent to a server, in milliseconds. */
const REFUSED_FOR_MS = 600_000;

/** What one server refuses of one model's requests, by the name of the parameter, with its error message. */
export type Refusals = Map<OptionalParamName, { until: number; message: string }>;

/** Remembers what servers refuse: one memory for all models of a process. */
export interface RefusalMemory {
  of(entry: Pick<ProviderEntry, 'name' | 'baseUrl' | 'model'>): Refusals;
}

export function createRefusalMemory(): RefusalMemory {
  const servers = new Map<string, Refusals>();
  return {
    of({ baseUrl, model }) {
      const key = `${baseUrl} ${model}`;
      const known = servers.get(key) ?? (new Map() as Refusals);
      servers.set(key, known);
      return known;
    },
  };
}

/** What is known to be refused of this request. */
export function knownRefusals(
  refusals: Refusals,
  asking: Asking,
  clock: Clock,
): Map<OptionalParamName, string> {
  const known = NAMES.flatMap((name) => {
    const refusal = refusals.get(name);
    const holds = refusal !== undefined && clock.now() < refusal.until && PARAMS[name].isMade(asking);
    return holds ? [[name, refusal.message] as const] : [];
  });
  return new Map(known);
}

/**
 * Remembers what a request was answered without, and forgets what it was answered with. Call it only after the call
 * succeeded: a request that is wrong in itself must not spoil the others.
 */
export function learnRefusals(
  memory: RefusalMemory,
  asking: Asking,
  without: ReadonlyMap<OptionalParamName, string>,
  clock: Clock,
): void {
  const { entry } = asking;
  const refusals = memory.of(entry);
  for (const [param, message] of without)
    if (clock.now() >= (refusals.get(param)?.until ?? 0)) {
      refusals.set(param, { until: clock.now() + REFUSED_FOR_MS, message });
    }
  for (const param of refusals.keys())
    if (!without.has(param) && PARAMS[param].isMade(asking)) {
      refusals.delete(param);
    }
}

/** The request without what is refused. */
export function leavingOut(asking: Asking, without: Iterable<OptionalParamName>): Asking {
  return [...without].reduce<Asking>((left, name) => PARAMS[name].without(left), asking);
}

/**
 * The parameters that an error is about, of those that were sent: the one that it names, or all that an answer can do
 * without if it names none. Empty: it is about something else.
 */
export function refusedParams(
  thrown: unknown,
  asking: Asking,
  without: ReadonlyMap<OptionalParamName, string>,
): OptionalParamName[] {
  if (!(thrown instanceof CasefileError)) return [];
  const { reasonCode, message, details } = thrown;
  const status = details['status'];
  // Some servers fail over a schema where they should refuse it, or say that it is not there for the model.
  const isServers =
    reasonCode === 'unknown_model' || (reasonCode === 'server_error' && (status === 500 || status === 501));
  if (reasonCode !== 'bad_request' && !isServers) return [];
  const said = `${message} ${JSON.stringify(details)}`.toLowerCase();
  if (OF_THE_CONVERSATION.test(said)) return [];
  const sent = NAMES.filter((name) => !without.has(name) && PARAMS[name].isMade(asking));
  const named = sent.find((name) => PARAMS[name].isNamed(said, asking));
  if (named !== undefined) return [named];
  if (isServers) return [];
  const words =
    message
      .replace(/^.{0,80}? answered \d+: ?/, '')
      .toLowerCase()
      .match(/[a-z0-9]+/g) ?? [];
  const isVague =
    words.every((word) => NAMES_NONE.test(word)) || (A_PARAMETER.test(said) && !OF_THE_MESSAGES.test(said));
  return isVague ? sent.filter((name) => WISHES.includes(name)) : [];
}

/** The request as it is sent: the parameters that its entry and its kind ask for. */
export function askingOf(entry: ProviderEntry, request: ModelRequest): Asking {
  return { entry, request, reasoningParams: reasoningParamsOf(entry, request) };
}

/** `type` and the like stand in errors about anything. */
const SHORTEST_KEY = 6;

function keysIn(value: Json): string[] {
  if (typeof value !== 'object' || value === null) return [];
  if (Array.isArray(value)) return value.flatMap(keysIn);
  return Object.entries(value).flatMap(([key, inner]) => [key, ...keysIn(inner)]);
}

/** Google's errors name `thinking_budget` what its requests name `thinkingBudget`. */
function snakeCase(key: string): string {
  return key.replace(/[A-Z]/g, (letter) => `_${letter}`);
}
