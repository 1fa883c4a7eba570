/** The package has no types of its own; these are the parts that are used here. */
declare module 'busboy' {
  import type { IncomingHttpHeaders } from 'node:http';
  import type { Readable, Writable } from 'node:stream';

  interface Options {
    headers: IncomingHttpHeaders;
    preservePath?: boolean;
    defParamCharset?: string;
    limits?: { fileSize?: number; files?: number; fields?: number; fieldSize?: number };
  }

  interface Busboy extends Writable {
    on(event: 'file', listener: (field: string, stream: Readable, info: { filename?: string }) => void): this;
    on(event: 'field', listener: (name: string, value: string) => void): this;
    on(event: 'filesLimit' | 'fieldsLimit' | 'close', listener: () => void): this;
    on(event: 'error', listener: (error: unknown) => void): this;
  }

  /** @throws Error if the headers name no boundary. */
  export default function busboy(options: Options): Busboy;
}
