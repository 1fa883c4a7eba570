import {
  CasefileError,
  type Tool,
  type GetAnswer,
  type ToolContext,
  type ToolDefinition,
  type GetRequest,
} from '@casefile/contracts';
import { createGuardedFetch, type GuardedFetch } from './fetch/guarded-fetch.js';
import { toolLimits, type EvidenceSettings } from './settings.js';

/** Most clients of different addresses that are kept. A tool has one address or a few. */
const MOST_CLIENTS = 100;

/**
 * Makes the tools that kinds of case bring.
 * @param texts Variables of the environment.
 * @throws ZodError whose paths are the names of wrong variables.
 */
export function definedTools(
  definitions: readonly ToolDefinition[],
  texts: Readonly<Record<string, string | undefined>>,
  settings: Pick<EvidenceSettings, 'limits'>,
): Tool[] {
  const clients = new Map<string, GuardedFetch>();
  const get = async (request: GetRequest, context: ToolContext): Promise<GetAnswer> => {
    const { baseUrl, headers, allowNotFound } = request;
    const client = clients.get(baseUrl) ?? createGuardedFetch({ baseUrl });
    if (clients.size < MOST_CLIENTS) clients.set(baseUrl, client);
    const pageRequest = { path: requestPath(request), acceptedStatuses: allowNotFound === true ? [404] : [] };
    const answer = await client({ ...pageRequest, ...(headers === undefined ? {} : { headers }) }, context);
    return answer.status === 404 ? 'not-found' : { body: answer.body };
  };
  return definitions.map((definition) =>
    definition.make(texts, toolLimits(definition.name, definition.limits, settings), get),
  );
}

function requestPath({ path = [], query = {} }: GetRequest): string {
  const parts = path.map((part) => {
    const text = String(part);
    // A URL resolves `.` and `..` even if they are encoded.
    if (/^\.{0,2}$/.test(text))
      throw new CasefileError('invalid_arguments', `a part of the path is ${JSON.stringify(text)}`);
    return encodeURIComponent(text);
  });
  const search = new URLSearchParams();
  for (const [name, value] of Object.entries(query))
    if (value !== undefined) search.append(name, String(value));
  const queryString = search.toString();
  return `${parts.map((part) => `/${part}`).join('')}${queryString === '' ? '' : `?${queryString}`}`;
}
