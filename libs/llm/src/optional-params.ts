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

/** A request as it is sent, without refused parameters. */
export interface Asking {
  entry: ProviderEntry;
  request: ModelRequest;
  reasoningParams: JsonObject;
}

/** A parameter that is left out, and the request repeated, if the server refuses it. */
interface OptionalParam {
  /** Whether this request contains the parameter. */
  isMade(asking: Asking): boolean;
  /** Whether an error is about the parameter. `said` is the error message in lower case. */
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

/** In the order in which an error is searched for them, by the names that the protocols use in errors. */
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
  promptCache: {
    isMade: ({ entry }) => entry.protocol === 'anthropic' && entry.promptCache,
    isNamed: (said) => said.includes('cache_control'),
    without: (asking) => withEntry(asking, { promptCache: false }),
  },
  // Tools are moved to the prompt: it describes them, and calls are read from the text of the answer.
  tools: {
    isMade: ({ request: { tools = [] } }) => tools.length > 0,
    isNamed: (said) => NO_TOOLS.test(said),
    without: ({ request, ...asking }) => ({ ...asking, request: withToolsAsText(request) }),
  },
  // Not omitted but sent under another name: newer OpenAI models accept only one of the two names, most
  // servers only the other.
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
/** Parameters without which an answer is still usable. All are omitted if an error names no parameter. */
const WISHES: readonly OptionalParamName[] = [
  'toolChoice',
  'reasoningParams',
  'reasoningOff',
  'answerSchema',
  'temperature',
  'strictTools',
  'promptCache',
];

/** Messages of servers without tool calls: Ollama, vLLM, llama.cpp, OpenRouter and gateways. */
const NO_TOOLS =
  /(?:not|n't) support (?:the )?(?:use of )?(?:tools?|functions?)\b|support tool use|tools? (?:use|calls?|calling) (?:is|are) not (?:supported|enabled|available)|tools (?:is|are) not (?:supported|enabled|available)|function[- _]?call(?:s|ing)? (?:is|are) not (?:supported|enabled|available)|enable-auto-tool-choice|tool-call-parser|tools param requires/;
const REFUSES_A_NAME =
  /unsupported|not (?:be )?(?:supported|permitted|allowed|recogni[sz]ed)|unknown|unrecogni[sz]ed|unexpected|extra|forbidden|instead/;
/** Matches an error that names no parameter: it contains only these words. */
const NAMES_NONE =
  /^(?:http|error|\d+|bad|invalid|unprocessable|malformed|request|entity|content|input|json|parameters?|body|params?)$/;
const A_PARAMETER =
  /(?:unsupported|not supported|unknown|unrecogni[sz]ed|unexpected|extra|additional|invalid|requested)\b[^.]{0,40}\b(?:param|field|argument|propert|keyword|option|setting|input)|extra_forbidden|not permitted/;
/**
 * Matches errors about earlier reasoning that was sent back. No parameter causes them, and omitting one would
 * hide the cause.
 */
const OF_THE_CONVERSATION = /cannot be modified|invalid `?signature|thought_?signature/;
const OF_THE_MESSAGES = /\bmessages?\b|\bcontents?\b|context|too long|too large|token limit|prompt/;

/** Time during which a refused parameter is not sent to a server, in milliseconds. */
const REFUSED_FOR_MS = 600_000;

/** Parameters that one server refuses for one model, by name, with the server's error message. */
export type Refusals = Map<OptionalParamName, { until: number; message: string }>;

/** Remembers refused parameters. All models of a process share one memory. */
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

/** Returns the parameters of this request that are known to be refused. */
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
 * Remembers the parameters that a successful request left out, and forgets those it contained. Call it only
 * after success: a request that is wrong for another reason must not affect later ones.
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

/** Returns the request without the refused parameters. */
export function leavingOut(asking: Asking, without: Iterable<OptionalParamName>): Asking {
  return [...without].reduce<Asking>((left, name) => PARAMS[name].without(left), asking);
}

/**
 * Returns the sent parameters that an error is about: the one it names, or every dispensable one if it names
 * none. Empty: the error is about something else.
 */
export function refusedParams(
  thrown: unknown,
  asking: Asking,
  without: ReadonlyMap<OptionalParamName, string>,
): OptionalParamName[] {
  if (!(thrown instanceof CasefileError)) return [];
  const { reasonCode, message, details } = thrown;
  const status = details['status'];
  // Some servers fail on a schema instead of refusing it, or report it as unavailable for the model.
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

/** Returns the request as sent, with the parameters of its entry and of its kind. */
export function toAsking(entry: ProviderEntry, request: ModelRequest): Asking {
  return { entry, request, reasoningParams: reasoningParamsOf(entry, request) };
}

/** Short keys such as `type` occur in errors about anything. */
const SHORTEST_KEY = 6;

function keysIn(value: Json): string[] {
  if (typeof value !== 'object' || value === null) return [];
  if (Array.isArray(value)) return value.flatMap(keysIn);
  return Object.entries(value).flatMap(([key, inner]) => [key, ...keysIn(inner)]);
}

/** Google's errors write `thinking_budget` for the `thinkingBudget` of a request. */
function snakeCase(key: string): string {
  return key.replace(/[A-Z]/g, (letter) => `_${letter}`);
}
