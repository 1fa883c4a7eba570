import { createSocket, type RemoteInfo } from 'node:dgram';

/** Answer to a question: the data of its records, an error code of RFC 1035, or silence. */
export type DnsAnswer = { type: number; data: Buffer }[] | { code: number } | 'silence';

/** A DNS server on loopback. */
export interface DnsServer {
  /** `127.0.0.1:PORT` */
  address: string;
  /** Questions that it got, as `NAME TYPE`. */
  questions: string[];
  close(): Promise<void>;
}

const TYPE = { A: 1, SOA: 6, MX: 15, TXT: 16 } as const;
const HEADER_BYTES = 12;

/** Returns a name as it is sent: its parts with their lengths. */
export const dnsName = (name: string): Buffer =>
  Buffer.concat([
    ...name.split('.').map((part) => Buffer.from([part.length, ...Buffer.from(part)])),
    Buffer.from([0]),
  ]);

export const aRecord = (address: string) => ({
  type: TYPE.A,
  data: Buffer.from(address.split('.').map(Number)),
});
export const mxRecord = (priority: number, name: string) => ({
  type: TYPE.MX,
  data: Buffer.concat([Buffer.from([priority >> 8, priority & 0xff]), dnsName(name)]),
});
export const txtRecord = (...parts: string[]) => ({
  type: TYPE.TXT,
  data: Buffer.concat(parts.map((part) => Buffer.from([part.length, ...Buffer.from(part)]))),
});
export const soaRecord = (host: string, mail: string, serial: number) => {
  const figures = Buffer.alloc(20);
  [serial, 7_200, 900, 86_400, 300].forEach((figure, i) => figures.writeUInt32BE(figure, i * 4));
  return { type: TYPE.SOA, data: Buffer.concat([dnsName(host), dnsName(mail), figures]) };
};

/** Starts a server that answers each question by this function. */
export async function startDnsServer(answer: (name: string, type: number) => DnsAnswer): Promise<DnsServer> {
  const questions: string[] = [];
  const socket = createSocket('udp4');
  socket.on('message', (message: Buffer, from: RemoteInfo) => {
    const { name, type, end } = question(message);
    questions.push(`${name} ${type}`);
    const found = answer(name, type);
    if (found === 'silence') return;
    const records = Array.isArray(found) ? found : [];
    const header = Buffer.alloc(HEADER_BYTES);
    message.copy(header, 0, 0, 2);
    header.writeUInt16BE(0x8180 | (Array.isArray(found) ? 0 : found.code), 2);
    header.writeUInt16BE(1, 4);
    header.writeUInt16BE(records.length, 6);
    const sent = records.map(({ type: kind, data }) => {
      // 0xc00c points to the name of the question.
      const fields = Buffer.alloc(HEADER_BYTES);
      fields.writeUInt16BE(0xc00c, 0);
      fields.writeUInt16BE(kind, 2);
      fields.writeUInt16BE(1, 4);
      fields.writeUInt32BE(60, 6);
      fields.writeUInt16BE(data.length, 10);
      return Buffer.concat([fields, data]);
    });
    socket.send(
      Buffer.concat([header, message.subarray(HEADER_BYTES, end), ...sent]),
      from.port,
      from.address,
    );
  });
  await new Promise<void>((bound) => socket.bind(0, '127.0.0.1', bound));
  return {
    address: `127.0.0.1:${socket.address().port}`,
    questions,
    close: () => new Promise((closed) => socket.close(() => closed())),
  };
}

function question(message: Buffer): { name: string; type: number; end: number } {
  const parts: string[] = [];
  let at = HEADER_BYTES;
  for (let length = message[at] ?? 0; length > 0; length = message[at] ?? 0) {
    parts.push(message.toString('latin1', at + 1, at + 1 + length));
    at += length + 1;
  }
  return { name: parts.join('.'), type: message.readUInt16BE(at + 1), end: at + 5 };
}
