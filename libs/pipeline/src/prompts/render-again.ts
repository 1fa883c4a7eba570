import { textSections, bodyPieces, keptPrompt, type PromptSection } from './prompt.js';

/** Separates the sections of a rendered prompt. */
const GAP = '\n\n';
const FENCE = '<<<DATA ';

/** Values of the sections of a rendered message, and the part of the message that they are in. */
interface ReadMessage {
  values: Record<string, Record<string, string>[]>;
  from: number;
  to: number;
}

/**
 * Renders a message of a recorded question again with another text of its prompt. The values are read from
 * the message by the recorded text and inserted into the other text. Text around the sections, such as that
 * of another prompt, is kept.
 *
 * A value ends where the next section of the recorded text begins. Words within fences never end a value,
 * because they come from outside.
 * @returns null if the recorded text did not render the message.
 */
export function renderAgain(message: string, recorded: string, other: string): string | null {
  const read = readMessage(message, recorded);
  if (read === null) return null;
  const part = message.slice(read.from, read.to);
  if (keptPrompt('', recorded).render(read.values) !== part) return null;
  const rendered = keptPrompt('', other).render(read.values);
  return message.slice(0, read.from) + rendered + message.slice(read.to);
}

/** A place in a message where a section may begin. */
interface Start {
  at: number;
  section: number;
}

function readMessage(message: string, text: string): ReadMessage | null {
  const masked = withoutFences(message);
  const sections = textSections(text);
  const starts = maskedStarts(masked, sections);
  const [first] = starts;
  if (first === undefined) return null;
  const values: ReadMessage['values'] = {};
  let to = first.at;
  let current: Start | undefined = first;
  let next = 1;
  while (current !== undefined) {
    const { at, section }: Start = current;
    // A section may be repeated, and later sections follow in their order.
    const isLater = (start: Start) => start.section >= section && start.at > at;
    while (next < starts.length && !isLater(starts[next]!)) next += 1;
    const { name, body } = sections[section]!;
    const read = valuesAt(
      { message, masked },
      bodyPieces(body),
      at,
      starts[next]?.at ?? masked.length + GAP.length,
    );
    if (read === null) return null;
    (values[name] ??= []).push(read.values);
    to = read.to;
    // Words of a section that look like the beginning of another section belong to the first one.
    while (next < starts.length && starts[next]!.at < to + GAP.length) next += 1;
    current = starts[next]?.at === to + GAP.length ? starts[next] : undefined;
  }
  return { values, from: first.at, to };
}

/**
 * Reads the values of one section.
 * @param pieces literal text at even indexes, names of placeholders at odd ones
 * @param end where the next section begins, or the end of the message as if one began there
 */
function valuesAt(
  { message, masked }: { message: string; masked: string },
  pieces: readonly string[],
  at: number,
  end: number,
): { values: Record<string, string>; to: number } | null {
  const values: Record<string, string> = {};
  let to = at + pieces[0]!.length;
  for (let i = 1; i < pieces.length; i += 2) {
    const literal = pieces[i + 1]!;
    const isLast = i + 2 >= pieces.length;
    const until = literal === '' && isLast ? end - GAP.length : masked.indexOf(literal, to);
    if (until < to) return null;
    values[pieces[i]!] = message.slice(to, until);
    to = until + literal.length;
  }
  return { values, to };
}

/** Returns where sections may begin, in order: at the start of the message or after an empty line. */
function maskedStarts(masked: string, sections: readonly PromptSection[]): Start[] {
  const starts: Start[] = [];
  for (const [section, { body }] of sections.entries()) {
    const head = bodyPieces(body)[0]!;
    // A section that begins with a placeholder cannot be found by its beginning, so it stays part of the one
    // before.
    if (head === '') continue;
    if (masked.startsWith(head)) starts.push({ at: 0, section });
    for (let at = masked.indexOf(GAP + head); at >= 0; at = masked.indexOf(GAP + head, at + 1))
      starts.push({ at: at + GAP.length, section });
  }
  return starts.sort((a, b) => a.at - b.at || a.section - b.section);
}

/** Returns the message with each fenced text replaced by as many NUL characters. */
function withoutFences(message: string): string {
  const parts: string[] = [];
  let from = 0;
  for (let at = message.indexOf(FENCE); at >= 0; at = message.indexOf(FENCE, from)) {
    const line = message.indexOf('\n', at);
    const mark = line < 0 ? '' : message.slice(at + FENCE.length, line);
    const end = mark === '' || mark.length > 40 ? -1 : message.indexOf(`\nDATA ${mark}>>>`, line);
    if (end < 0) break;
    const to = end + `\nDATA ${mark}>>>`.length;
    parts.push(message.slice(from, at), '\0'.repeat(to - at));
    from = to;
  }
  return [...parts, message.slice(from)].join('');
}
