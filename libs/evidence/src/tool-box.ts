import type { SourceHealth, Tool, ToolBox, ToolLimits, ToolSource } from '@casefile/contracts';

/** Tools that are part of the program or of a kind of case: listed from the start and always available. */
export function compiledIn(tools: readonly Tool[], name = 'compiled in'): ToolSource {
  return {
    name,
    allowed: new Map(tools.map(({ name, limits }) => [name, limits])),
    connect: async () => undefined,
    listed: () => tools,
    health: () => ({ state: 'ready' }),
    close: async () => undefined,
  };
}

/**
 * Creates a tool box over these sources. It reads their lists at each use, so tools listed later are
 * included.
 * @throws Error if two sources may list a tool of the same name, because calls would then be ambiguous.
 */
export function createToolBox(sources: readonly ToolSource[]): ToolBox {
  const owners = new Map<string, ToolSource>();
  const allowed = new Map<string, ToolLimits>();
  for (const source of sources) {
    for (const [name, limits] of source.allowed) {
      const other = owners.get(name);
      if (other !== undefined)
        throw new Error(`the tool "${name}" is allowed to two sources, ${other.name} and ${source.name}`);
      owners.set(name, source);
      allowed.set(name, limits);
    }
  }
  // Tools of data sources are added while the program runs, so their names are not in `allowed`.
  const ownerOf = (name: string): ToolSource | undefined =>
    owners.get(name) ?? sources.find((source) => source.listed().some((tool) => tool.name === name));
  const healthOf = (source: ToolSource): { source: string; health: SourceHealth } => ({
    source: source.name,
    health: source.health(),
  });
  return {
    allowed,
    connect: async () => void (await Promise.all(sources.map((source) => source.connect()))),
    named: (name) =>
      ownerOf(name)
        ?.listed()
        .find((tool) => tool.name === name) ?? null,
    offers(names) {
      const offered = sources.flatMap((source) => source.offers?.() ?? []);
      return {
        tools: offered.flatMap(({ tools }) => tools.filter(({ name }) => names.includes(name))),
        out: offered.flatMap(({ out }) => out.filter(({ name }) => names.includes(name))),
      };
    },
    sourceOf: (name) => {
      const source = ownerOf(name);
      return source === undefined ? null : healthOf(source);
    },
    health: () => sources.map(healthOf),
    close: async () => void (await Promise.allSettled(sources.map((source) => source.close()))),
  };
}

/** A box of tools that are part of the program. */
export function toolBox(tools: readonly Tool[]): ToolBox {
  return createToolBox([compiledIn(tools)]);
}
