import { createHash } from 'node:crypto';
import type { JsonObject } from '@casefile/contracts';
import type { Answer } from '../answer.js';
import { contentWords, countShared, textStems } from './content-words.js';
import { FINISH } from './conversation.js';
import type { Conversation } from './conversation.js';
import { finishArgs } from './finish-args.js';
import { wordsShown } from './observations.js';

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
export function agentTurn(conversation: Conversation): Answer {
  const calls =
    firstLook(conversation) ??
    secondLook(conversation) ??
    closerLook(conversation) ??
    furtherFacts(conversation);
  if (calls === null || conversation.turns >= MOST_TURNS) return finishTurn(conversation);
  return answerWithCalls(conversation, calls, `there is more to look up in turn ${conversation.turns + 1}`);
}

export function finishTurn(conversation: Conversation): Answer {
  const args = finishArgs(conversation);
  return answerWithCalls(
    conversation,
    [{ name: FINISH, args }],
    `what was found makes it ${String(args.status)}`,
  );
}

/**
 * Returns an answer with these calls. Their ids depend only on the conversation and the place in it, so that
 * no other call has them.
 */
export function answerWithCalls(conversation: Conversation, calls: WantedCall[], why: string): Answer {
  const digest = createHash('sha256').update(conversation.criterion).digest('hex').slice(0, 8);
  return {
    content: '',
    reasoning: `Simulated reasoning: ${why}.`,
    toolCalls: calls.map(({ name, args }, index) => ({
      id: `call_sim_${digest}_${conversation.turns + 1}_${index + 1}`,
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

function firstLook(conversation: Conversation): WantedCall[] | null {
  if (conversation.turns > 0) return null;
  const topic = textStems(conversation.criterion);
  const topicNames = bestNames(conversation, topic);
  const facts = topicNames.length > 0 ? topicNames.slice(0, FACTS) : conversation.factNames.slice(0, 2);
  return offeredCalls(conversation, [
    { name: 'pi_search', args: { query: conversationQuery(conversation), limit: SECTIONS } },
    ...facts.map(factCall),
  ]);
}

/** Searches again with other words if the first search found nothing. */
function secondLook(conversation: Conversation): WantedCall[] | null {
  const searches = conversation.done.filter(({ name }) => name === 'pi_search');
  if (conversation.nodes.length > 0 || searches.length !== 1 || conversation.turns !== 1) return null;
  const names = conversation.readings.map(({ name }) => name.replaceAll('_', ' ')).join(' ');
  const words = [...contentWords(names), ...contentWords(conversation.criterion).toReversed()];
  const query = words.slice(0, QUERY_WORDS).join(' ');
  return query === ''
    ? null
    : offeredCalls(conversation, [{ name: 'pi_search', args: { query, limit: SECTIONS } }]);
}

/** Tightens cut sections. A section that was shown completely can be quoted without this. */
function closerLook(conversation: Conversation): WantedCall[] | null {
  const before = conversation.done.some(({ name }) => name === 'spans_tighten');
  const cut = conversation.nodes.filter((node) => node.cut);
  if (before || cut.length === 0) return null;
  const nodeIds = cut.slice(0, NODES_TIGHTENED).map(({ nodeId }) => nodeId);
  return offeredCalls(conversation, [
    { name: 'spans_tighten', args: { nodeIds, query: conversationQuery(conversation), limit: SPANS } },
  ]);
}

/** Requests facts whose names occur in the found words, then, once, the facts that no text names. */
function furtherFacts(conversation: Conversation): WantedCall[] | null {
  const rounds = new Set(conversation.done.flatMap(({ name, turn }) => (name === 'facts_get' ? [turn] : [])));
  const spans = wordsShown(conversation);
  if (rounds.size > 1 || spans.length === 0) return null;
  const words = textStems(spans.map(({ text }) => text).join('\n'));
  const names = [...new Set([...bestNames(conversation, words), ...conversation.factNames])];
  const open = names.filter((name) => !requestedNames(conversation).has(name));
  return offeredCalls(conversation, open.slice(0, FACTS).map(factCall));
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
function offeredCalls(conversation: Conversation, calls: WantedCall[]): WantedCall[] | null {
  const there = calls.filter(({ name }) => conversation.offered.has(name));
  return there.length === 0 ? null : there;
}
