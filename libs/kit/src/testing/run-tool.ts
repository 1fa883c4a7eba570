import {
  CasefileError,
  fieldProblems,
  silentLogger,
  type JsonObject,
  type GetAnswer,
  type ToolDefinition,
  type ToolFinding,
  type GetRequest,
} from '@casefile/contracts';

/** Time of a scripted call, which does not pass. */
const NOW = Date.UTC(2026, 0, 5, 9);

/** Answers for a call of a tool. */
export interface ToolScript {
  /** Variables of the environment, by name. */
  variables?: Readonly<Record<string, string>>;
  /** Returns what the service answers; `not-found`: it has no such thing. @throws CasefileError for a service that fails. */
  get(request: GetRequest): GetAnswer | Promise<GetAnswer>;
}

/**
 * Calls a tool of a kind with a scripted service.
 * @returns the finding, and the requests that were made.
 * @throws CasefileError `invalid_arguments`, `variable_missing`; what the tool or the script throws.
 */
export async function runTool(
  definition: ToolDefinition,
  args: JsonObject,
  script: ToolScript,
): Promise<ToolFinding & { requests: GetRequest[] }> {
  const requests: GetRequest[] = [];
  const tool = definition.make(script.variables ?? {}, definition.limits, async (request) => {
    requests.push(request);
    return script.get(request);
  });
  const parsed = tool.args.safeParse(args);
  if (!parsed.success) {
    const problems = fieldProblems(parsed.error).map(({ path, message }) => `${path}: ${message}`);
    throw new CasefileError('invalid_arguments', problems.join('; '));
  }
  const { signal } = new AbortController();
  const finding = await tool.run(args, { signal, clock: { now: () => NOW }, log: silentLogger });
  return { ...finding, requests };
}
