import { isObject, type Json, type JsonObject } from '@casefile/contracts';
import { listOf, pairsIn, textIn } from './pairs.js';

const MOST_BLOCKS = 100;
const MOST_LEVELS = 6;
/** A line of a chat message that names a field: "*Severity:* critical", "*Severity:*\ncritical". */
const FIELD = /^\s{0,5}\*{1,2}([^*\n:]{1,40}):?\*{1,2}:?[ \t]{0,3}\n?[ \t]{0,3}(\S[^\n]{0,500})\s{0,20}$/u;

interface CardParts {
  texts: string[];
  fields: JsonObject;
  links: string[];
}

/**
 * Returns the body of a chat card as fields of an alert: the first text is its title, the others its text. Reads the
 * Adaptive Cards of Teams and the blocks of Slack, whose fields are texts or pairs. null: it is no such card.
 */
export function chatCard(body: JsonObject): JsonObject | null {
  const blocks = cardBlocks(body);
  if (blocks.length === 0) return null;
  const parts: CardParts = { texts: [], fields: {}, links: [] };
  let left = MOST_BLOCKS;
  const read = (block: Json, level: number): void => {
    if (!isObject(block) || level > MOST_LEVELS || (left -= 1) < 0) return;
    readBlock(block as JsonObject, parts);
    for (const key of ['items', 'columns', 'body', 'elements', 'actions'])
      for (const inner of listOf(block[key] as Json).slice(0, left)) read(inner, level + 1);
  };
  for (const block of blocks.slice(0, MOST_BLOCKS)) read(block, 0);
  const [title, ...others] = parts.texts;
  const [url] = parts.links;
  return {
    ...parts.fields,
    ...(title === undefined ? {} : { title }),
    ...(others.length === 0 ? {} : { text: others.join('\n') }),
    ...(url === undefined ? {} : { url }),
  };
}

function cardBlocks(body: JsonObject): Json[] {
  const attachments = listOf(body['attachments']);
  const contents = attachments.map((one) => (isObject(one) ? (one['content'] as Json) : null));
  const cards = [body, ...contents].filter((one) => isObject(one) && one['type'] === 'AdaptiveCard');
  const adaptive = cards.flatMap((card) => [
    ...listOf((card as JsonObject)['body']),
    ...listOf((card as JsonObject)['actions']),
  ]);
  const inner = attachments.flatMap((one) => (isObject(one) ? listOf(one['blocks'] as Json) : []));
  const isBlock = (one: Json) => isObject(one) && typeof one['type'] === 'string';
  return [...adaptive, ...[...listOf(body['blocks']), ...inner].filter(isBlock)];
}

function readBlock(block: JsonObject, { texts, fields, links }: CardParts): void {
  const facts = pairsIn(block['facts'] ?? null);
  if (facts !== null) for (const [name, value] of Object.entries(facts)) setField(fields, name, value);
  const said = [block['text'], ...listOf(block['fields'])].map((one) =>
    typeof one === 'string' ? one : textIn(one, 'text'),
  );
  for (const text of said.filter((one) => one.trim() !== '')) {
    const [, name, value] = FIELD.exec(text.slice(0, 600)) ?? [];
    if (name !== undefined && value !== undefined) setField(fields, name, value);
    else if (!/button|^Action\./i.test(textIn(block, 'type'))) texts.push(text.trim());
  }
  const link = textIn(block, 'url');
  if (link !== '') links.push(link);
}

// The first value of a name counts, as a card may repeat it for each of several alerts.
function setField(fields: JsonObject, name: string, value: Json): void {
  if (!Object.hasOwn(fields, name))
    Object.defineProperty(fields, name, { value, enumerable: true, writable: true, configurable: true });
}
