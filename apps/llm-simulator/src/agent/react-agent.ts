import { createHash } from 'node:crypto';
import type { JsonObject } from '@casefile/contracts';
import type { Answer } from '../answer.js';
import { contentWords, countShared, textStems } from './content-words.js';
import { FINISH } from './conversation.js';
import type { Conversation } from './conversation.js';
import { wordsShown } from './judge.js';
import { finishArgs } from './finish-args.js';

/** Words of a query. */
const QUERY_WORDS = 8;
const SECTIONS = 4;
const NODES_TIGHTENED = 3;
const SPANS = 5;
/** Facts requested in one turn. */
const FACTS = 3;
/** The agent finishes after this number of turns at the latest. */
const MOST_TURNS = 5;

export interface WantedCall {
  name: string;
  args: JsonObject;
}

/**
 * Returns the next turn of an agent that checks a criterion by rules. It searches the policy and requests
 * facts, tightens cut sections, requests the facts that the found words name, and finishes. The same
 * conversation always gets the same turn.
 */
export function agentTurn(known: Conversation): Answer {
  const calls = firstLook(known) ?? secondLook(known) ?? closerLook(known) ?? furtherFacts(known);
  if (calls === null || known.turns >= MOST_TURNS) return finishTurn(known);
  return knownTurn(known, calls, `there is more to look up in turn ${known.turns + 1}`);
}

export function finishTurn(known: Conversation): Answer {
  const args = finishArgs(known);
  return knownTurn(known, [{ name: FINISH, args }], `what was found makes it ${String(args.status)}`);
}

/**
 * Returns an answer with these calls. Their ids depend only on the conversation and the place in it, so that
 * no other call has them.
 */
export function knownTurn(known: Conversation, calls: WantedCall[], why: string): Answer {
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

export function conversationQuery({ criterion }: Conversation): string {
  return (
    contentWords(criterion).slice(0, QUERY_WORDS).join(' ') || criterion.trim().slice(0, 100) || 'policy'
  );
}

function firstLook(known: Conversation): WantedCall[] | null {
  if (known.turns > 0) return null;
  const topic = textStems(known.criterion);
  const named = bestNames(known, topic);
  const facts = named.length > 0 ? named.slice(0, FACTS) : known.factNames.slice(0, 2);
  return offeredKnown(known, [
    { name: 'pi_search', args: { query: conversationQuery(known), limit: SECTIONS } },
    ...facts.map(factCall),
  ]);
}

/** Searches again with other words if the first search found nothing. */
function secondLook(known: Conversation): WantedCall[] | null {
  const searches = known.done.filter(({ name }) => name === 'pi_search');
  if (known.nodes.length > 0 || searches.length !== 1 || known.turns !== 1) return null;
  const names = known.readings.map(({ name }) => name.replaceAll('_', ' ')).join(' ');
  const words = [...contentWords(names), ...contentWords(known.criterion).toReversed()];
  const query = words.slice(0, QUERY_WORDS).join(' ');
  return query === '' ? null : offeredKnown(known, [{ name: 'pi_search', args: { query, limit: SECTIONS } }]);
}

/** Tightens cut sections. A section that was shown completely can be quoted without this. */
function closerLook(known: Conversation): WantedCall[] | null {
  const before = known.done.some(({ name }) => name === 'spans_tighten');
  const cut = known.nodes.filter((node) => node.cut);
  if (before || cut.length === 0) return null;
  const nodeIds = cut.slice(0, NODES_TIGHTENED).map(({ nodeId }) => nodeId);
  return offeredKnown(known, [
    { name: 'spans_tighten', args: { nodeIds, query: conversationQuery(known), limit: SPANS } },
  ]);
}

/** Requests facts whose names occur in the found words, then, once, the facts that no text names. */
function furtherFacts(known: Conversation): WantedCall[] | null {
  const rounds = new Set(known.done.flatMap(({ name, turn }) => (name === 'facts_get' ? [turn] : [])));
  const found = wordsShown(known);
  if (rounds.size > 1 || found.length === 0) return null;
  const words = textStems(found.map(({ text }) => text).join('\n'));
  const names = [...new Set([...bestNames(known, words), ...known.factNames])];
  const open = names.filter((name) => !requestedNames(known).has(name));
  return offeredKnown(known, open.slice(0, FACTS).map(factCall));
}

function requestedNames({ done }: Conversation): Set<string> {
  return new Set(
    done.flatMap(({ name, args }) =>
      name === 'facts_get' && typeof args.name === 'string' ? [args.name] : [],
    ),
  );
}

/** Returns the names of facts that share words with a text, ordered by the share of their own words. */
function bestNames({ factNames }: Conversation, words: Set<string>): string[] {
  return factNames
    .map((name, at) => {
      const own = textStems(name.replaceAll('_', ' '));
      const common = countShared(own, words);
      return { name, at, common, share: own.size === 0 ? 0 : common / own.size };
    })
    .filter(({ common }) => common > 0)
    .sort((a, b) => b.common - a.common || b.share - a.share || a.at - b.at)
    .map(({ name }) => name);
}

const factCall = (name: string): WantedCall => ({ name: 'facts_get', args: { name } });

/** Returns the calls whose tools are offered; null: none is. */
function offeredKnown(known: Conversation, calls: WantedCall[]): WantedCall[] | null {
  const there = calls.filter(({ name }) => known.offered.has(name));
  return there.length === 0 ? null : there;
}
