import { CasefileError } from '@casefile/contracts';

const FLUSH = '0000';

/** A request for one commit without its history. @param filter Largest blob that the server sends; null: it cannot filter. */
export function packRequest(commit: string, filter: number | null): Buffer {
  const capabilities = ['side-band-64k', 'ofs-delta', 'no-progress', ...(filter === null ? [] : ['filter'])];
  const lines = [
    line(`want ${commit} ${capabilities.join(' ')}\n`),
    line('deepen 1\n'),
    ...(filter === null ? [] : [line(`filter blob:limit=${filter}\n`)]),
    FLUSH,
    line('done\n'),
  ];
  return Buffer.from(lines.join(''));
}

function line(text: string): string {
  return `${(text.length + 4).toString(16).padStart(4, '0')}${text}`;
}

/** Returns the pack of an answer to such a request. @throws CasefileError `unreadable_document` when there is none. */
export function packIn(answer: Buffer): Buffer {
  const pack: Buffer[] = [];
  for (let at = 0; at + 4 <= answer.length;) {
    const length = Number.parseInt(answer.toString('latin1', at, at + 4), 16);
    if (length === 0) {
      at += 4;
      continue;
    }
    const content = answer.subarray(at + 4, at + length);
    if (Number.isNaN(length) || length <= 4 || at + length > answer.length)
      throw new CasefileError('unreadable_document', 'The answer of the server breaks off or is not of Git');
    at += length;
    const [channel] = content;
    const failure =
      channel === 3 ? content.subarray(1) : content.subarray(0, 4).equals(ERROR) ? content : null;
    if (failure !== null)
      throw new CasefileError('unreadable_document', failure.toString('utf8', 0, 300).trim());
    if (channel === 1) pack.push(content.subarray(1));
  }
  return Buffer.concat(pack);
}

const ERROR = Buffer.from('ERR ');
