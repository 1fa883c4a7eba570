import {
  InvalidInput,
  type AddedDataSource,
  type DataSourceEntry,
  type FieldProblem,
  type InstalledToolServer,
  type ListedTool,
} from '@casefile/contracts';
import ipaddr from 'ipaddr.js';
import { entryHash } from '../mcp/server-answers.js';
import { argumentCheck } from './arguments.js';
import { requestAbout, requestParameters, type PlacedSource } from './data-source-tools.js';
import { protocolOf } from './protocols/index.js';
import { readDataSource, type DataSource } from './source-schema.js';

/**
 * Reads a stored data source. @throws InvalidInput that names each wrong field: the file, the address, the secret, and
 * fixed arguments.
 */
export function placeSource(name: string, entry: DataSourceEntry): PlacedSource {
  const source = readDataSource(entry.definition);
  const { url, secret, scheme, set } = entry;
  const placed: PlacedSource = { name, source, url, secret, scheme, set };
  const problems = [...addressProblems(source, url), ...secretProblems(placed), ...setProblems(placed)];
  if (problems.length > 0) throw new InvalidInput(problems, 'data source');
  return placed;
}

function addressProblems(source: DataSource, url: string): FieldProblem[] {
  const { protocol, hostname, username, password } = new URL(url);
  const { schemes, address, example } = protocolOf(source);
  const bare = hostname.replace(/^\[|\]$/g, '');
  const problem = (message: string) => [{ path: 'url', message }];
  if (username + password !== '') return problem('expected no name or password: set a secret');
  if (!schemes.includes(protocol) || !address.test(url))
    return problem(`expected an address such as ${example}`);
  // Cloud providers answer with credentials there.
  if (ipaddr.isValid(bare) && ipaddr.process(bare).range() === 'linkLocal')
    return problem('expected an address that is not link-local');
  return [];
}

function secretProblems({ source, secret, scheme }: PlacedSource): FieldProblem[] {
  if (secret === null || source.auth.includes(scheme)) return [];
  if (source.auth.length === 0)
    return [{ path: 'secret', message: 'expected none: this source needs no secret' }];
  return [{ path: 'scheme', message: `expected one of ${source.auth.join(', ')}` }];
}

/** A fixed argument belongs to a request that has it, and is valid there. */
function setProblems({ source, set }: PlacedSource): FieldProblem[] {
  return Object.entries(set).flatMap(([name, value]): FieldProblem[] => {
    const specs = Object.values(source.requests).flatMap(({ arguments: all }) => all[name] ?? []);
    if (specs.length === 0)
      return [{ path: `set.${name}`, message: `expected an argument of ${source.name}` }];
    return specs.flatMap((spec) => {
      const checked = argumentCheck(spec).safeParse(value);
      return checked.success
        ? []
        : [{ path: `set.${name}`, message: checked.error.issues[0]?.message ?? 'wrong' }];
    });
  });
}

/** Returns the tools of a data source as they are listed: name, description and schema of the arguments, with a hash. */
export function listedRequests(placed: PlacedSource): ListedTool[] {
  return Object.entries(placed.source.requests).map(([tool, request]) => {
    const entry = {
      name: tool,
      description: requestAbout(placed, request),
      inputSchema: requestParameters(request, placed.set),
    };
    return { tool, hash: entryHash(entry), entry };
  });
}

/**
 * Returns a data source as an installation knows it: which kinds of case may use which of its tools. null: its file
 * cannot be read by this version.
 */
export function installedSource({
  name,
  entry,
}: Pick<AddedDataSource, 'name' | 'entry'>): InstalledToolServer | null {
  try {
    const placed = placeSource(name, entry);
    const listed = listedRequests(placed);
    return {
      name,
      allow: listed.map(({ tool }) => tool),
      required: [],
      searches: placed.source.search === undefined ? [] : [placed.source.search],
      timeline: [...placed.source.timeline],
      kinds: entry.kinds,
      forAlerts: {},
      pins: Object.fromEntries(listed.map(({ tool, hash }) => [tool, hash])),
    };
  } catch (error) {
    if (error instanceof InvalidInput) return null;
    throw error;
  }
}
