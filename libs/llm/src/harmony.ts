/** A text in OpenAI's harmony format, as returned by servers without a parser for it. */
export interface HarmonyText {
  /** Text for the user, and tool calls with their marks. */
  content: string;
  /** Text of the `analysis` channels, and text before a tool call. */
  thoughts: string[];
}

const CHANNEL = '<|channel|>';
const MESSAGE = '<|message|>';
const ENDS = ['<|end|>', '<|return|>', '<|call|>', '<|start|>'];
/** The prompt may end in `<|channel|>`. The text then begins with the channel's name. */
const BEGINS_WITHIN =
  /^\s*(?:analysis|commentary|final)\b[^<]{0,200}(?:<\|constrain\|>[^<]{0,40})?<\|message\|>/;
/** Matches texts from which the marks were removed as special tokens. */
const BARE = /^\s*analysis(?=[\s\S])/;
const BARE_FINAL = 'assistantfinal';

/** Splits a text into its harmony channels, in one pass. Returns null if the text is not in this format. */
export function readHarmony(text: string): HarmonyText | null {
  const withChannel = BEGINS_WITHIN.test(text) ? `${CHANNEL}${text.trimStart()}` : text;
  if (!withChannel.includes(CHANNEL) || !withChannel.includes(MESSAGE)) return readBare(text);
  const [before = '', ...parts] = withChannel.split(CHANNEL);
  const lead = withoutMarks(before);
  const messages = parts.map(parseMessage);
  const finals = messages.filter(({ name }) => name === 'final').map(({ body }) => body);
  const calls = messages.filter(({ head }) => /\bto=/.test(head));
  const said = messages.filter(({ name, head }) => name === 'commentary' && !/\bto=/.test(head));
  const isElsewhere = finals.length > 0 || calls.length > 0;
  const analysis = messages.filter(({ name, head }) => name === 'analysis' && !/\bto=/.test(head));
  const others = messages.filter(({ name }) => !['analysis', 'commentary', 'final'].includes(name));
  const content = [
    lead,
    ...others.map(({ body }) => body),
    ...finals,
    ...(isElsewhere ? [] : said.map(({ body }) => body)),
    ...calls.map(({ head, body }) => `${CHANNEL}${head}${MESSAGE}${body}`),
  ];
  const thoughts = [...analysis, ...(isElsewhere ? said : [])].map(({ body }) => body);
  return {
    content: content.filter((one) => one !== '').join('\n'),
    thoughts: thoughts.filter((one) => one !== ''),
  };
}

function parseMessage(part: string): { name: string; head: string; body: string } {
  const at = part.indexOf(MESSAGE);
  const head = (at === -1 ? '' : part.slice(0, at)).trim();
  const rest = at === -1 ? part : part.slice(at + MESSAGE.length);
  const ends = ENDS.map((end) => rest.indexOf(end)).filter((end) => end !== -1);
  const body = rest.slice(0, ends.length === 0 ? undefined : Math.min(...ends)).trim();
  return { name: /^[a-z]+/i.exec(head)?.[0].toLowerCase() ?? '', head, body };
}

function withoutMarks(text: string): string {
  return text.replace(/<\|start\|>\s{0,9}(?:assistant)?|<\|(?:end|return|call)\|>/g, '').trim();
}

function readBare(text: string): HarmonyText | null {
  const at = text.lastIndexOf(BARE_FINAL);
  if (at === -1 || !BARE.test(text)) return null;
  const thought = text.slice(0, at).replace(BARE, '').trim();
  return { content: text.slice(at + BARE_FINAL.length).trim(), thoughts: thought === '' ? [] : [thought] };
}
