import { CasefileError } from '@casefile/contracts';

const FLUSH = '0000';

/** A server's refs with the commits they point to, and its capabilities. */
export interface ServerRefs {
  /**
   * By name, for example `refs/heads/main` and `HEAD`. An annotated tag has its commit, not the tag object.
   */
  refs: Map<string, string>;
  capabilities: string[];
}

/**
 * Reads a server's list of refs. @throws CasefileError `unreadable_document` if the answer is not a list of
 * refs.
 */
export function readServerRefs(answer: Buffer): ServerRefs {
  const refs = new Map<string, string>();
  let capabilities: string[] = [];
  for (const content of pktLines(answer)) {
    const [line = '', after] = content.toString('utf8').trimEnd().split('\0');
    const [, id, name = '', peeled] = /^([0-9a-f]{40,64}) (.*?)(\^\{\})?$/.exec(line) ?? [];
    if (after !== undefined) capabilities = after.split(' ');
    // The commit of a tag comes after the tag.
    if (id !== undefined && (peeled !== undefined || !refs.has(name))) refs.set(name, id);
  }
  if (capabilities.includes('side-band-64k') && capabilities.includes('shallow'))
    return { refs, capabilities };
  throw new CasefileError(
    'unreadable_document',
    'it is not a Git repository over smart HTTP, or its server is very old',
  );
}

/**
 * Request for a commit with as many generations as `depth` states.
 * @param filter Objects that the server leaves out, such as `blob:limit=1000`; null: it cannot filter.
 */
export function packRequest({
  commit,
  depth,
  filter,
}: {
  commit: string;
  depth: number;
  filter: string | null;
}): Buffer {
  const capabilities = ['side-band-64k', 'ofs-delta', 'no-progress', ...(filter === null ? [] : ['filter'])];
  const lines = [
    line(`want ${commit} ${capabilities.join(' ')}\n`),
    line(`deepen ${depth}\n`),
    ...(filter === null ? [] : [line(`filter ${filter}\n`)]),
    FLUSH,
    line('done\n'),
  ];
  return Buffer.from(lines.join(''));
}

function line(text: string): string {
  return `${(text.length + 4).toString(16).padStart(4, '0')}${text}`;
}

/**
 * Returns the pack of an answer to such a request. @throws CasefileError `unreadable_document` if there is
 * none.
 */
export function packIn(answer: Buffer): Buffer {
  const pack: Buffer[] = [];
  for (const content of pktLines(answer)) {
    const [channel] = content;
    if (channel === PACK) pack.push(content.subarray(1));
    if (channel === FAILURE) throw failedWhy(content.subarray(1));
  }
  return Buffer.concat(pack);
}

const PACK = 1;
const FAILURE = 3;
const ERROR = Buffer.from('ERR ');

function* pktLines(answer: Buffer): Generator<Buffer> {
  for (let at = 0; at < answer.length;) {
    const length = Number.parseInt(answer.toString('latin1', at, at + 4), 16);
    if (length === 0) {
      at += 4;
      continue;
    }
    const content = answer.subarray(at + 4, at + length);
    if (Number.isNaN(length) || length <= 4 || at + length > answer.length)
      throw new CasefileError('unreadable_document', 'the answer of its server breaks off or is not of Git');
    at += length;
    if (content.subarray(0, ERROR.length).equals(ERROR)) throw failedWhy(content.subarray(ERROR.length));
    yield content;
  }
}

function failedWhy(why: Buffer): CasefileError {
  return new CasefileError(
    'unreadable_document',
    `its server reports: ${why.toString('utf8', 0, 300).trim()}`,
  );
}
