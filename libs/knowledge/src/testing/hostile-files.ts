import type { FileContent } from '../import-source.js';

/** A file that is small enough to be sent and too large to be parsed in a service. */
export interface HostileFile {
  name: string;
  content: FileContent;
}

const PIECE = 1_000_000;

/** Files that every importer must refuse with its limit and the file's own size. */
export const hostileFiles: readonly HostileFile[] = [
  repeated('a list of 20 million empty objects', { begin: '[{}', one: ',{}', times: 19_999_999, end: ']' }),
  repeated('10 million open brackets', { one: '[', times: 10_485_760 }),
  repeated('a table of 2.5 million lines', {
    begin: 'id,title,text_en\n',
    one: 'a,b,some text of 22\n',
    times: 2_500_000,
  }),
  repeated('front matter of 1.5 million keys', {
    begin: '---\n',
    one: 'some-key: a\n',
    times: 1_500_000,
    end: '---\n# A\n',
  }),
];

interface Parts {
  begin?: string;
  one: string;
  times: number;
  end?: string;
}

function repeated(name: string, { begin = '', one, times, end = '' }: Parts): HostileFile {
  const size = begin.length + one.length * times + end.length;
  const perPiece = Math.floor(PIECE / one.length);
  return {
    name,
    content: {
      size: async () => size,
      *pieces() {
        yield Buffer.from(begin);
        const piece = Buffer.from(one.repeat(perPiece));
        for (let left = times; left > 0; left -= perPiece)
          yield left >= perPiece ? piece : piece.subarray(0, left * one.length);
        yield Buffer.from(end);
      },
    },
  };
}
