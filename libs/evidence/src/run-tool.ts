import {
  sleep,
  asCasefileError,
  CasefileError,
  fieldProblems,
  textProblem,
  unlessAborted,
  withTimeout,
  type Json,
  type JsonObject,
  type Standstill,
  type Tool,
  type ToolBox,
  type ToolModel,
  type ToolRun,
  type ToolRunner,
} from '@casefile/contracts';
import { METRICS } from '@casefile/telemetry';
import { bulkhead } from 'cockatiel';
import { maskValue, shortenedTool, withoutSecrets } from './outside-result.js';
import type { ToolRunnerPorts } from './tool-runner-ports.js';
import { createCircuit, type Circuit, type CircuitName, type CircuitOptions } from './circuit.js';

export interface ToolRunnerOptions {
  circuit?: CircuitOptions;
  /** Default: the process never stands still. */
  standstill?: Standstill;
  patience?: Patience;
  /** Waits between two tries. */
  sleep?: (ms: number, signal: AbortSignal) => Promise<void>;
}

/** Runs tools. */
export interface GuardedToolRunner extends ToolRunner {
  /** States of the circuits by tool name. A tool that reads nothing outside this system has none. */
  circuits(): Record<string, CircuitName>;
}

/** Most bytes of a result as JSON: far above a genuine result, and no burden to the record or a prompt. */
const MAX_RESULT_BYTES = 256 * 1024;
const CIRCUIT: CircuitOptions = { failures: 5, openMs: 15_000 };
const NEVER_STILL: Standstill = { mark: () => 0, since: () => 0 };

interface Station {
  tool: Tool;
  /** Null: the tool reads nothing outside this system, so no provider can be out. */
  circuit: Circuit | null;
  /** Limits concurrent calls to the tool's `concurrency`; further calls wait their turn. */
  slots: { execute<T>(work: () => Promise<T>): Promise<T> };
}

/** Result of one try. */
type TryResult = Pick<ToolRun, 'result' | 'whole'> & { source: string };

/** One requested call. */
interface RequestedCall {
  args: JsonObject;
  signal: AbortSignal;
  model: ToolModel | undefined;
  runId: string | undefined;
}

/**
 * Creates the only runner of tools. It checks arguments, limits time and retries with back-off. A tool that reads
 * something outside this system has a circuit.
 */
export function createToolRunner(ports: ToolRunnerPorts, options: ToolRunnerOptions = {}): GuardedToolRunner {
  const stations = new Map<string, Station>();
  const stationFor = (name: string): Station => {
    const tool = ports.tools.named(name);
    if (tool === null) throw notThere(name, ports.tools);
    const known = stations.get(name);
    if (known?.tool === tool) return known;
    // A tool that is listed again keeps its circuit and its slots, so that its limits still apply.
    const station = known === undefined ? toolStation(tool, options) : { ...known, tool };
    stations.set(name, station);
    return station;
  };
  // Tools are reported at their first use, because processes that run no tool have nothing to report.
  const reported = new Set<string>();
  const report = (name: string, { circuit }: Station): void => {
    if (circuit === null || reported.has(name)) return;
    reported.add(name);
    ports.telemetry.gauge(METRICS.circuitOpen, () => (circuit.state === 'closed' ? 0 : 1), { tool: name });
  };
  for (const name of ports.tools.allowed.keys()) if (ports.tools.named(name) !== null) stationFor(name);
  return {
    circuits: () =>
      Object.fromEntries(
        [...stations].flatMap(([name, { circuit }]) => (circuit === null ? [] : [[name, circuit.state]])),
      ),
    async run(name, args, signal, model, runId) {
      const startedAt = ports.clock.now();
      const tries = { count: 0 };
      const facts = () => ({ durationMs: Math.max(0, ports.clock.now() - startedAt), attempts: tries.count });
      try {
        const station = stationFor(name);
        report(name, station);
        checkArguments(station.tool, args);
        const finding = await tryUntilDone(station, { args, signal, model, runId }, tries, ports, options);
        return { state: 'succeeded', ...finding, reasonCode: null, message: null, ...facts() };
      } catch (error) {
        const { reasonCode, message } = await withoutSecrets(errorFailure(error, signal), name, ports);
        // A missing configuration would otherwise cause a warning in every case.
        const level = reasonCode === 'not_configured' ? 'debug' : 'warn';
        ports.log[level]({ tool: name, reasonCode, error: message, ...facts() }, 'a tool gave no answer');
        return { state: 'failed', result: null, source: null, reasonCode, message, ...facts() };
      }
    },
  };
}

function notThere(name: string, tools: Pick<ToolBox, 'sourceOf' | 'offers'>): CasefileError {
  const owner = tools.sourceOf(name);
  if (owner === null)
    return new CasefileError('unknown_tool', `There is no tool named ${JSON.stringify(name)}`);
  const { source, health } = owner;
  const out = tools.offers([name]).out[0];
  if (health.state === 'ready')
    return out === undefined
      ? new CasefileError('unknown_tool', `${source} does not list the tool ${name}`)
      : new CasefileError('not_approved', `The tool ${name} may not be used: ${out.why}`);
  const why = health.state === 'down' ? `is down: ${health.why}` : 'is not connected yet';
  return new CasefileError('network', `${source}, which has the tool ${name}, ${why}`, { retryable: true });
}

function toolStation(tool: Tool, options: ToolRunnerOptions): Station {
  const slots = bulkhead(tool.limits.concurrency, Number.POSITIVE_INFINITY);
  const circuit =
    tool.reads === 'outside'
      ? createCircuit(tool.name, options.circuit ?? CIRCUIT, options.standstill ?? NEVER_STILL)
      : null;
  return { tool, circuit, slots };
}

function checkArguments(tool: Tool, args: JsonObject): void {
  const parsed = tool.args.safeParse(args);
  if (parsed.success) return;
  const problems = fieldProblems(parsed.error);
  const list = problems.map((problem) => `${problem.path || '(whole)'}: ${problem.message}`).join('; ');
  throw new CasefileError('invalid_arguments', `The arguments of ${tool.name} are not valid: ${list}`, {
    details: { problems },
  });
}

async function tryUntilDone(
  station: Station,
  call: RequestedCall,
  tries: { count: number },
  ports: ToolRunnerPorts,
  options: ToolRunnerOptions,
): Promise<TryResult> {
  const { signal } = call;
  const wait = options.sleep ?? sleep;
  for (let last: CasefileError | null = null; ;) {
    try {
      return await oneTry(station, call, tries, ports);
    } catch (error) {
      const failure = errorFailure(error, signal);
      // If our own tries opened the circuit, the last error says more than `circuit_open`.
      if (failure.reasonCode === 'circuit_open') throw last ?? failure;
      const delayMs = delayBefore(tries.count, failure, options.patience ?? PATIENCE);
      if (signal.aborted || tries.count >= station.tool.limits.attempts || delayMs === null) throw failure;
      last = failure;
      await wait(delayMs, signal);
      signal.throwIfAborted();
    }
  }
}

async function oneTry(
  { tool, circuit, slots }: Station,
  { args, signal, model, runId }: RequestedCall,
  tries: { count: number },
  { clock, log, mask }: ToolRunnerPorts,
): Promise<TryResult> {
  const work = async () => {
    const { timeoutMs } = tool.limits;
    tries.count += 1;
    const context = {
      clock,
      log: log.child({ tool: tool.name }),
      ...(model === undefined ? {} : { model }),
      ...(runId === undefined ? {} : { runId }),
    };
    const finding = await withTimeout(
      timeoutMs,
      signal,
      (limited) => tool.run(args, { signal: limited, ...context }),
      { message: `${tool.name} gave no answer within ${timeoutMs} ms` },
    );
    const source = finding.source.slice(0, 500);
    const result = plainJson(finding.result);
    if (tool.outside !== undefined)
      return { ...shortenedTool(tool.name, await maskValue(result, mask), tool.outside.keeps), source };
    return { result: boundedTool(tool, result), source };
  };
  // Do not pass the signal to cockatiel: if a queued call is aborted, cockatiel also drops the calls behind
  // it.
  const inTurn = slots.execute(async () => {
    signal.throwIfAborted();
    return circuit === null ? work() : circuit.run(work);
  });
  return unlessAborted(signal, inTurn);
}

function boundedTool(tool: Tool, result: Json): Json {
  const size = Buffer.byteLength(JSON.stringify(result));
  if (size <= MAX_RESULT_BYTES) return result;
  const message = `The result of ${tool.name} has ${size} bytes, more than ${MAX_RESULT_BYTES}`;
  throw new CasefileError('too_large', message);
}

function errorFailure(error: unknown, signal: AbortSignal): CasefileError {
  if (!signal.aborted) return asCasefileError(error);
  const reason: unknown = signal.reason;
  if (reason instanceof CasefileError) return reason;
  return new CasefileError('aborted', 'The call was cancelled', { cause: reason });
}

const MAX_DEPTH = 64;

/**
 * Returns a copy of `value` that any JSON store accepts: NUL characters and lone surrogates (which Postgres
 * refuses) become U+FFFD. @throws CasefileError `bad_answer` if it is not JSON: a date, undefined, NaN, a
 * circle, too deep.
 */
export function plainJson(value: unknown, depth = 0): Json {
  if (depth > MAX_DEPTH) throw notJson('it nests too deep');
  if (value === null || typeof value === 'boolean') return value;
  if (typeof value === 'string') return storable(value);
  if (typeof value === 'number' && Number.isFinite(value)) return value;
  if (Array.isArray(value)) return value.map((item) => plainJson(item, depth + 1));
  if (!isPlainObject(value))
    throw notJson(`it holds ${typeof value === 'object' ? 'an object of a class' : String(value)}`);
  return Object.fromEntries(
    Object.entries(value).map(([key, item]) => [storable(key), plainJson(item, depth + 1)]),
  );
}

function isPlainObject(value: unknown): value is Record<string, unknown> {
  if (typeof value !== 'object' || value === null) return false;
  const prototype: unknown = Object.getPrototypeOf(value);
  return prototype === Object.prototype || prototype === null;
}

function storable(text: string): string {
  // Almost every text is valid unchanged, and results have many.
  if (textProblem(text) === null) return text;
  return text.replaceAll('\u0000', '\uFFFD').replace(/\p{Surrogate}/gu, '\uFFFD');
}

function notJson(why: string): CasefileError {
  return new CasefileError('bad_answer', `The tool's result is not plain JSON: ${why}`);
}

interface Patience {
  /** Delay before the second try; doubled before each further try. */
  firstMs: number;
  /** Maximum delay in milliseconds. For a longer one the call fails, so that its slot becomes free. */
  maxMs: number;
}

const PATIENCE: Patience = { firstMs: 250, maxMs: 10_000 };

/**
 * Returns the delay before the next try, or null for no further try. Half of the delay is random, so that
 * workers that failed together do not retry together. A delay requested by the server is the minimum.
 */
function delayBefore(tries: number, failure: CasefileError, patience: Patience): number | null {
  if (!failure.retryable) return null;
  const retryAfter = failure.retryAfterMs ?? 0;
  if (retryAfter > patience.maxMs) return null;
  const grown = Math.min(patience.firstMs * 2 ** Math.max(0, tries - 1), patience.maxMs);
  return retryAfter + (grown / 2) * (1 + Math.random());
}
