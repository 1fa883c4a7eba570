import { silentLogger, type JsonObject, type Tool } from '@casefile/contracts';
import { inProcessRunner } from '@casefile/contracts/testing';
import { dataSourceTools, definedTools, placeSource, type DataSource } from '@casefile/evidence';
import { shippedSources, systemClock } from '@casefile/runtime';

/** A server that answers a data source. */
export interface SourceServer {
  url: string;
  /** Default: requests are sent without a secret. */
  secret?: string;
}

/** Returns a tool of a data source, as the evidence collector makes it. */
export function sourceTool(source: DataSource, { url, secret }: SourceServer, request: string): Tool {
  const placed = placeSource(source.name, {
    definition: JSON.parse(JSON.stringify(source)) as JsonObject,
    url,
    secret: secret === undefined ? null : 'SOURCE_KEY',
    scheme: source.auth[0] ?? 'bearer',
    set: {},
    kinds: source.kinds,
  });
  const texts = { SOURCE_KEY: secret };
  const tools = definedTools(dataSourceTools(placed, inProcessRunner), texts, { limits: {} });
  return tools.find(({ name }) => name === `${source.name}__${request}`)!;
}

/** Returns the finding of a look-up. @throws CasefileError with the reason of the gap. */
export async function found(
  tool: Tool,
  args: JsonObject,
  signal = new AbortController().signal,
): Promise<string> {
  expect(tool.args.safeParse(args)).toMatchObject({ success: true });
  const { result } = await tool.run(args, { signal, clock: systemClock, log: silentLogger });
  return (result as { text: string }).text;
}

/** Returns a shipped source. */
export const shippedSource = (name: string): DataSource =>
  shippedSources().find((source) => source.name === name)!;
