import type { Json, JsonObject } from '@casefile/contracts';
import { Environment, type ASTNode } from '@marcbachmann/cel-js';
import { RE2JS } from 're2js';

/** What an expression can read. */
export interface Facts {
  /** The payload of the alert. */
  input: JsonObject;
  /** The answer of the model or the rules. Before there is one: no fields. */
  answer: JsonObject;
  /** Confidence in the answer, from 0 to 1. Before there is one: 0. */
  confidence: number;
  /** Evidence items: `id`, `tool`, `ok`, `type`, `value`, `result`. */
  evidence: readonly JsonObject[];
  /** Whether a model or a look-up gave nothing. */
  degraded: boolean;
  /** An item of a list in the settings, in the rows of `evidence`. Elsewhere: null. */
  item: Json;
}

/** Longest expression, in UTF-16 units. */
const LONGEST = 2_000;
/** Most list functions (`all`, `exists`, `map`, ...) inside one another. Each may visit `LARGEST_LIST` items. */
const DEEPEST_LISTS = 2;
const LARGEST_LIST = 200;
/** Most values in all facts together, and the longest text among them in UTF-16 units. */
const MOST_VALUES = 5_000;
const LONGEST_TEXT = 20_000;
const LIST_FUNCTIONS = new Set(['all', 'exists', 'exists_one', 'map', 'filter']);

/** `linearMatches` replaces `matches`, whose patterns can take exponential time. */
const environment = new Environment({
  enableOptionalTypes: true,
  homogeneousAggregateLiterals: false,
  limits: { maxAstNodes: 300, maxDepth: 30, maxListElements: 100, maxMapEntries: 50, maxCallArguments: 8 },
})
  .registerVariable('input', 'dyn')
  .registerVariable('answer', 'dyn')
  .registerVariable('confidence', 'double')
  .registerVariable('evidence', 'list')
  .registerVariable('degraded', 'bool')
  .registerVariable('item', 'dyn')
  .registerFunction('string.linearMatches(string): bool', (text: string, pattern: string) =>
    RE2JS.compile(pattern).matcher(text).find(),
  );

/** A compiled expression of the Common Expression Language (CEL). */
export interface Expression {
  /** @throws Error if it cannot be evaluated: a field is missing, types do not fit, or the facts exceed a limit. */
  valueOf(facts: Facts): unknown;
  /** Type of its value if it is known; `dyn`: it depends on the facts. */
  type: string;
}

/**
 * Compiles an expression. Its size, its nesting and the lists that it visits are limited, and its patterns take linear
 * time.
 * @throws Error that states what was expected.
 */
export function compileExpression(text: string): Expression {
  if (text.length > LONGEST) throw new Error(`expected at most ${LONGEST} characters, found ${text.length}`);
  const source = withLinearPatterns(text);
  const run = environment.parse(source);
  refuseUnbounded(run.ast);
  const { valid, type, error } = run.check();
  if (!valid) throw new Error(firstLine(error));
  if (listDepth(run.ast) > DEEPEST_LISTS)
    throw new Error(`expected at most ${DEEPEST_LISTS} list functions inside one another`);
  return {
    type: type ?? 'dyn',
    valueOf(facts) {
      checkSize(facts);
      try {
        return run({ ...facts });
      } catch (thrown) {
        throw new Error(firstLine(thrown), { cause: thrown });
      }
    },
  };
}

/** Compiles a condition. @throws Error that states what was expected. */
export function compileCondition(text: string): (facts: Facts) => boolean {
  const { type, valueOf } = compileExpression(text);
  if (type !== 'bool' && type !== 'dyn')
    throw new Error(`expected a condition, found a value of type ${type}`);
  return (facts) => {
    const value = valueOf(facts);
    if (typeof value === 'boolean') return value;
    throw new Error(`expected true or false, found ${typeof value}`);
  };
}

const PLACEHOLDER = /\{\{([^{}]{1,500})\}\}/g;

/**
 * Compiles a text with expressions in `{{ }}`. An expression without a value becomes an empty text.
 * @throws Error that states what was expected.
 */
export function compileText(text: string): (facts: Facts) => string {
  const parts = text.split(PLACEHOLDER);
  const made = parts.map((part, i) => (i % 2 === 0 ? part : compileExpression(part)));
  return (facts) =>
    made.map((part) => (typeof part === 'string' ? part : textOf(part.valueOf(facts)))).join('');
}

function textOf(value: unknown): string {
  if (value === null || value === undefined) return '';
  return typeof value === 'object'
    ? JSON.stringify(value)
    : String(value as string | number | bigint | boolean);
}

function firstLine(thrown: unknown): string {
  const [line = ''] = (thrown instanceof Error ? thrown.message : String(thrown)).split('\n');
  return line;
}

function withLinearPatterns(text: string): string {
  const { ast } = environment.parse(text);
  const ends: number[] = [];
  visit(ast, (node) => {
    if (node.op !== 'rcall') return;
    const [name, receiver, [pattern]] = node.args;
    if (name !== 'matches') return;
    if (pattern?.op !== 'value' || typeof pattern.args !== 'string')
      throw new Error('expected a pattern in quotes in `matches`');
    checkPattern(pattern.args);
    ends.push(receiver.end);
  });
  let source = text;
  for (const end of ends.sort((a, b) => b - a))
    source = source.slice(0, end) + source.slice(end).replace('matches', 'linearMatches');
  return source;
}

/** @throws Error if a pattern needs more than linear time. */
export function checkPattern(pattern: string): void {
  try {
    RE2JS.compile(pattern);
  } catch (thrown) {
    throw new Error(`expected a pattern without back references and look-arounds: ${firstLine(thrown)}`, {
      cause: thrown,
    });
  }
}

/** Functions whose values can be much larger than the facts, or whose patterns take exponential time. */
const UNBOUNDED = new Set(['matches', 'split', 'join', 'bind']);

function refuseUnbounded(ast: ASTNode): void {
  visit(ast, (node) => {
    const name = node.op === 'rcall' || node.op === 'call' ? node.args[0] : null;
    if (name !== null && UNBOUNDED.has(name)) throw new Error(`expected no \`${name}\` in this place`);
  });
}

function listDepth(node: ASTNode): number {
  const inner = Math.max(0, ...childrenOf(node).map(listDepth));
  const isList = node.op === 'rcall' && LIST_FUNCTIONS.has(node.args[0]);
  return inner + (isList ? 1 : 0);
}

function visit(node: ASTNode, each: (node: ASTNode) => void): void {
  each(node);
  for (const child of childrenOf(node)) visit(child, each);
}

function childrenOf({ args }: ASTNode): ASTNode[] {
  return [args]
    .flat(3)
    .filter((one): one is ASTNode => typeof one === 'object' && one !== null && 'op' in one);
}

/** @throws Error if the facts exceed a limit, so that every evaluation is bounded. */
function checkSize({ input, answer, evidence }: Facts): void {
  let values = 0;
  const pending: unknown[] = [input, answer, evidence];
  while (pending.length > 0) {
    const value = pending.pop();
    values += 1;
    if (values > MOST_VALUES) throw new Error(`the facts have more than ${MOST_VALUES} values`);
    if (typeof value === 'string' && value.length > LONGEST_TEXT)
      throw new Error(`a text is longer than ${LONGEST_TEXT} characters`);
    if (Array.isArray(value) && value.length > LARGEST_LIST)
      throw new Error(`a list has more than ${LARGEST_LIST} items`);
    if (typeof value === 'object' && value !== null) pending.push(...Object.values(value));
  }
}
