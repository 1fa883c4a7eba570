import { CasefileError, z, type Json, type Tool, type ToolBox } from '@casefile/contracts';
import { createToolBox } from '@casefile/evidence';
import type { LiveResult, TrustCase } from './trust-case.js';

const SOURCE = 'set';
const LIMITS = { timeoutMs: 10_000, attempts: 1, concurrency: 50 };
const PARAMETERS = { type: 'object', properties: { subject: { type: 'string' } }, required: ['subject'] };

type Results = ReadonlyMap<string, readonly LiveResult[]>;

/**
 * Returns the tools of an installation with the results of the sets. An installed tool answers from the set
 * if the set has an answer. The other tools of the sets are tools of an outside server.
 * @param current Returns the active case of an incident. Only tools of this case are offered.
 */
export function setTools(
  own: ToolBox,
  cases: readonly TrustCase[],
  current: () => TrustCase | null,
): ToolBox {
  const results: Results = resultsOf(cases);
  const outside = [...results.keys()].filter((name) => !own.allowed.has(name));
  const listed = outside.map((name) => outsideTool(name, () => current()?.results[name] ?? []));
  const offered = () => listed.filter(({ name }) => current()?.results[name] !== undefined);
  const server = createToolBox([
    {
      name: SOURCE,
      allowed: new Map(outside.map((name) => [name, LIMITS])),
      connect: async () => undefined,
      listed: () => listed,
      health: () => ({ state: 'ready' }),
      offers: () => ({ tools: offered().map(frozen), out: [] }),
      close: async () => undefined,
    },
  ]);
  return {
    ...own,
    allowed: new Map([...own.allowed, ...server.allowed]),
    named: (name) => {
      const tool = own.named(name) ?? server.named(name);
      const toolResults = results.get(name) ?? [];
      return tool === null || outside.includes(name) ? tool : { ...tool, run: answering(tool, toolResults) };
    },
    offers: (names) => {
      const [ofOwn, ofSets] = [own.offers(names), server.offers(names)];
      return { tools: [...ofOwn.tools, ...ofSets.tools], out: [...ofOwn.out, ...ofSets.out] };
    },
    sourceOf: (name) => own.sourceOf(name) ?? server.sourceOf(name),
  };
}

function resultsOf(cases: readonly TrustCase[]): Results {
  const results = new Map<string, LiveResult[]>();
  for (const one of cases)
    for (const [tool, own] of Object.entries(one.results))
      results.set(tool, [...(results.get(tool) ?? []), ...own]);
  return results;
}

function answering(tool: Tool, toolResults: readonly LiveResult[]): Tool['run'] {
  return (args, context) => {
    const match = toolResults.find((one) => one.subject === args['entityValue']);
    return match === undefined ? tool.run(args, context) : finding(match.result);
  };
}

function outsideTool(name: string, toolResults: () => readonly LiveResult[]): Tool {
  const args = z.object({ subject: z.string() });
  return {
    name,
    description: `Looks up ${name.replace(/_+/g, ' ')}.`,
    locality: 'local',
    reads: 'nothing',
    entityTypes: [],
    args,
    parameters: PARAMETERS,
    outside: { keeps: 100_000 },
    limits: LIMITS,
    run: (input) => {
      const { subject } = args.parse(input);
      return finding(toolResults().find((one) => one.subject === subject)?.result ?? null);
    },
  };
}

async function finding(result: Json): Promise<{ result: Json; source: string }> {
  if (result === null) throw new CasefileError('unreachable', 'The set has no result for this look-up.');
  return { result, source: SOURCE };
}

const frozen = ({ name, description }: Tool) => ({
  name,
  source: SOURCE,
  description,
  parameters: PARAMETERS,
  hash: 'a'.repeat(64),
  required: false,
});
