import { isIP } from 'node:net';
import type { DetailedPeerCertificate, TLSSocket } from 'node:tls';
import { z } from '@casefile/contracts';
import { connectionFailure } from '../../fetch/fetch-failures.js';
import { recordsAnswerBytes, recordsAnswerSchema } from '../answer-schema.js';
import { defineProtocol, NO_SECRET, requestFields } from './protocol.js';

const requestSchema = z.strictObject({
  ...requestFields,
  read: z.literal('certificate'),
  answer: recordsAnswerSchema,
});
type TlsRequest = z.infer<typeof requestSchema>;

const sourceFields = { auth: NO_SECRET };
type TlsSource = z.infer<z.ZodObject<typeof sourceFields>>;

const DAY_MS = 86_400_000;
const MOST_NAMES = 50;

/** The certificate of one TLS server, whether it is trusted or not. */
export const tls = defineProtocol<TlsSource, TlsRequest>({
  schemes: ['tls:'],
  address: /^tls:\/\/[^/?#]+:\d{1,5}\/?$/,
  example: 'tls://shop.example:443',
  source: sourceFields,
  request: requestSchema,
  places: () => [],
  client:
    ({ url }) =>
    async (_ask, _read, context) => {
      const { host, hostname, port } = new URL(url);
      const socket = await openSocket(hostname.replace(/^\[|\]$/g, ''), Number(port));
      const end = () => socket.destroy();
      context.signal.addEventListener('abort', end);
      try {
        await new Promise<void>((connected, failed) => {
          socket.once('secureConnect', connected).once('error', failed);
          // An aborted request destroys the socket without an error.
          socket.once('close', () => failed(new Error('closed')));
          if (context.signal.aborted) end();
        });
        return recordsAnswerBytes([JSON.stringify(certificateRecord(socket, context.clock.now()))], null);
      } catch (error) {
        throw connectionFailure(error, host, context.signal);
      } finally {
        context.signal.removeEventListener('abort', end);
        end();
      }
    },
});

async function openSocket(host: string, port: number): Promise<TLSSocket> {
  const { connect } = await import('node:tls');
  const name = isIP(host) === 0 ? { servername: host } : {};
  // The finding states whether the certificate is trusted, so an untrusted one is read too. Nothing is sent.
  return connect({ host, port, rejectUnauthorized: false, ...name });
}

function certificateRecord(socket: TLSSocket, now: number) {
  const certificate = socket.getPeerCertificate(true);
  const until = new Date(certificate.valid_to);
  const names = (certificate.subjectaltname ?? '').split(', ').filter((name) => name !== '');
  return {
    subject: nameOf(certificate.subject),
    names: [...names.slice(0, MOST_NAMES), ...(names.length > MOST_NAMES ? ['...'] : [])],
    issuer: nameOf(certificate.issuer),
    from: new Date(certificate.valid_from).toISOString(),
    until: until.toISOString(),
    days: Math.floor((until.getTime() - now) / DAY_MS),
    trust: socket.authorized ? 'trusted' : `not trusted (${untrustedBecause(socket)})`,
    version: socket.getProtocol(),
    fingerprint: certificate.fingerprint256,
  };
}

/** Returns the code of Node, such as `CERT_HAS_EXPIRED`. Its type states an error. */
function untrustedBecause({ authorizationError }: TLSSocket): string {
  const error = authorizationError as unknown;
  return error instanceof Error ? error.message : String(error);
}

function nameOf(name: DetailedPeerCertificate['subject'] | undefined): string {
  return Object.entries({ ...name })
    .map(([field, value]) => `${field}=${[value].flat().join('+')}`)
    .join(', ');
}
