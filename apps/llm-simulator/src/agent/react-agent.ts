import { createHash } from 'node:crypto';
import type { JsonObject } from '@casefile/contracts';
import type { Answer } from '../answer.js';
import { contentWords, shared, stemsOf } from './content-words.js';
import { FINISH, type Conversation } from './conversation.js';
import { isCut, type FoundSpan } from './observations.js';

/** Maximum words of a query. */
const QUERY_WORDS = 8;
const SECTIONS = 4;
const NODES_TIGHTENED = 3;
const SPANS = 5;
/** Maximum facts requested per turn. */
const FACTS = 3;
/** Number of turns after which the agent finishes with what it has found. */
const MOST_TURNS = 5;

export interface WantedCall {
  name: string;
  args: JsonObject;
}

/**
 * Returns the next turn of an agent that checks a criterion by rules. It searches the policy and requests
 * facts, reads cut sections again, requests the facts that these sections mention, and finishes. The same
 * conversation always gets the same turn.
 */
export function agentTurn(known: Conversation): Answer {
  const calls = firstLook(known) ?? secondLook(known) ?? closerLook(known) ?? furtherFacts(known);
  if (calls === null || known.turns >= MOST_TURNS) return finishTurn(known);
  return turnOf(known, calls, `there is more to look up in turn ${known.turns + 1}`);
}

export function finishTurn(known: Conversation): Answer {
  const args = finishArgs(known);
  return turnOf(known, [{ name: FINISH, args }], `what was found makes it ${String(args.status)}`);
}

/**
 * Returns an answer with these calls. Call ids depend only on the place in the conversation, and no two
 * places share an id.
 */
export function turnOf(known: Conversation, calls: WantedCall[], why: string): Answer {
  const digest = createHash('sha256').update(known.criterion).digest('hex').slice(0, 8);
  return {
    content: '',
    reasoning: `Simulated reasoning: ${why}.`,
    toolCalls: calls.map(({ name, args }, index) => ({
      id: `call_sim_${digest}_${known.turns + 1}_${index + 1}`,
      name,
      arguments: JSON.stringify(args),
    })),
  };
}

export function queryOf({ criterion }: Conversation): string {
  return (
    contentWords(criterion).slice(0, QUERY_WORDS).join(' ') || criterion.trim().slice(0, 100) || 'policy'
  );
}

function firstLook(known: Conversation): WantedCall[] | null {
  if (known.turns > 0) return null;
  const topic = stemsOf(known.criterion);
  const named = bestNames(known, topic);
  const facts = named.length > 0 ? named.slice(0, FACTS) : known.factNames.slice(0, 2);
  return offered(known, [
    { name: 'pi_search', args: { query: queryOf(known), limit: SECTIONS } },
    ...facts.map(factCall),
  ]);
}

/** Searches a second time with other words if the first search found nothing. */
function secondLook(known: Conversation): WantedCall[] | null {
  const searches = known.done.filter(({ name }) => name === 'pi_search');
  if (known.nodes.length > 0 || searches.length !== 1 || known.turns !== 1) return null;
  const names = known.readings.map(({ name }) => name.replaceAll('_', ' ')).join(' ');
  const words = [...contentWords(names), ...contentWords(known.criterion).toReversed()];
  const query = words.slice(0, QUERY_WORDS).join(' ');
  return query === '' ? null : offered(known, [{ name: 'pi_search', args: { query, limit: SECTIONS } }]);
}

/** Requests the spans of cut sections. Sections that were shown whole can be quoted without this call. */
function closerLook(known: Conversation): WantedCall[] | null {
  const before = known.done.some(({ name }) => name === 'spans_tighten');
  const cut = known.nodes.filter((node) => node.cut);
  if (before || cut.length === 0) return null;
  const nodeIds = cut.slice(0, NODES_TIGHTENED).map(({ nodeId }) => nodeId);
  return offered(known, [{ name: 'spans_tighten', args: { nodeIds, query: queryOf(known), limit: SPANS } }]);
}

/** Requests facts once more: first those whose names occur in the found words, then the remaining ones. */
function furtherFacts(known: Conversation): WantedCall[] | null {
  const rounds = new Set(known.done.flatMap(({ name, turn }) => (name === 'facts_get' ? [turn] : [])));
  const found = wordsShown(known);
  if (rounds.size > 1 || found.length === 0) return null;
  const words = stemsOf(found.map(({ text }) => text).join('\n'));
  const names = [...new Set([...bestNames(known, words), ...known.factNames])];
  const open = names.filter((name) => !asked(known).has(name));
  return offered(known, open.slice(0, FACTS).map(factCall));
}

function asked({ done }: Conversation): Set<string> {
  return new Set(
    done.flatMap(({ name, args }) =>
      name === 'facts_get' && typeof args.name === 'string' ? [args.name] : [],
    ),
  );
}

/** Returns the names of facts that share words with a text, best match first. */
function bestNames({ factNames }: Conversation, words: Set<string>): string[] {
  return factNames
    .map((name, at) => {
      const own = stemsOf(name.replaceAll('_', ' '));
      const common = shared(own, words);
      return { name, at, common, share: own.size === 0 ? 0 : common / own.size };
    })
    .filter(({ common }) => common > 0)
    .sort((a, b) => b.common - a.common || b.share - a.share || a.at - b.at)
    .map(({ name }) => name);
}

const factCall = (name: string): WantedCall => ({ name: 'facts_get', args: { name } });

/** Returns those calls whose tools are offered; null: none. */
function offered(known: Conversation, calls: WantedCall[]): WantedCall[] | null {
  const there = calls.filter(({ name }) => known.offered.has(name));
  return there.length === 0 ? null : there;
}

/** Minimum confidence of a reading that is cited. A less certain reading must not support an answer. */
const LEAST_READING = 0.65;
const MOST_FACTS = 3;
const SAID = 'Simulated answer, made by rules and not by a language model';

/**
 * Returns the arguments of the call that ends the check. The agent does not judge: it quotes the words that
 * share the most with the criterion, cites the facts it read, and answers MET if it has both. Tests that need
 * another answer script it.
 */
function finishArgs(known: Conversation): JsonObject {
  const [quoted] = bestWords(known);
  if (quoted === undefined) return nothingFound(known);
  const facts = known.readings.filter(({ confidence }) => (confidence ?? 1) >= LEAST_READING);
  const cited = facts
    .slice(0, MOST_FACTS)
    .filter(({ value }) => !(typeof value === 'string' && isCut(value)));
  const status = facts.length > 0 ? 'MET' : 'UNCERTAIN';
  return {
    status,
    confidence: status === 'MET' ? 0.8 : 0.5,
    rationale: `${SAID}: ${facts.length} facts and the words of section ${quoted.nodeId} speak of it.`,
    citations: [
      quoteOf(quoted),
      ...cited.map(({ id, value, unit }) => ({
        kind: 'fact',
        fact: id,
        value,
        ...(unit !== null && { unit }),
      })),
      ...(status === 'UNCERTAIN' ? absences(known) : []),
    ],
  };
}

function quoteOf({ nodeId, text, page }: FoundSpan): JsonObject {
  return { kind: 'quote', nodeId, quote: text, ...(page !== null && { page }) };
}

function absences({ missing }: Conversation): JsonObject[] {
  return missing.slice(0, 2).map((asked) => ({ kind: 'absence', of: 'fact', asked }));
}

function nothingFound(known: Conversation): JsonObject {
  const searched = known.done.flatMap(({ name, args, said }) =>
    name === 'pi_search' && typeof args.query === 'string' && said !== null ? [args.query] : [],
  );
  return {
    status: 'UNCERTAIN',
    confidence: 0.3,
    rationale: `${SAID}: nothing was found to go by.`,
    citations: [
      ...searched.slice(-1).map((query) => ({ kind: 'absence', of: 'policy', asked: query })),
      ...absences(known),
    ],
  };
}

/**
 * Returns the exact words that are known: the spans of tightened sections, and the sentences of other
 * sections.
 */
function wordsShown({ spans, nodes }: Pick<Conversation, 'spans' | 'nodes'>): FoundSpan[] {
  const tightened = new Set(spans.map(({ nodeId }) => nodeId));
  return [...spans, ...nodes.filter(({ nodeId }) => !tightened.has(nodeId)).flatMap(sentencesOf)];
}

function sentencesOf({ nodeId, page, text }: FoundSpan): FoundSpan[] {
  const sentences = text.split(/(?<=[.!?])\s+|\n+/).filter((sentence) => stemsOf(sentence).size > 2);
  return sentences.map((sentence) => ({ nodeId, page, text: sentence.trim() }));
}

function bestWords(known: Conversation): FoundSpan[] {
  const topic = stemsOf(known.criterion);
  return wordsShown(known)
    .map((span) => ({ span, score: shared(stemsOf(span.text), topic) }))
    .sort((a, b) => b.score - a.score)
    .map(({ span }) => span);
}
