/** A header line of a mail, also one that a mail program copied into an answer or a forwarded mail. */
const HEADER = /^[>|\s*]{0,20}([A-Za-zÀ-ÿ-]{1,20})\*?[ \u00a0]?:/;

/** Names of header lines in the languages of mail programs, in lower case. */
export const SENDER = new Set('from von de da van fra från od'.split(' '));
export const ANSWERS = new Set(['reply-to', 'return-path', 'antwort-an']);
export const RECEIVERS = new Set('to cc an kopie à para per aan til till do'.split(' '));
export const OTHERS = new Set(
  'subject betreff objet asunto oggetto assunto date sent datum gesendet'.split(' '),
);

/** Returns the name of a header line in lower case; '' if the line is none. */
export function headerName(line: string): string {
  return HEADER.exec(line)?.[1]?.toLowerCase() ?? '';
}
