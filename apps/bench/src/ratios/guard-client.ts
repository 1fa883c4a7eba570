import { Agent, request } from 'node:http';

// Runs as a separate process, so that the processor time of the service does not include that of its client.
// Sends the requests of a message, a few at a time, and answers with the number of requests that had another
// status than the expected one.

/** Requests of one round. */
export interface GuardedRound {
  url: string;
  method: 'GET' | 'POST';
  /** Each path is requested once. */
  paths: string[];
  /** Bodies by index of the path. Empty: none. */
  bodies: string[];
  headers: Record<string, string>;
  status: number;
}

const AT_ONCE = 8;
const agent = new Agent({ keepAlive: true, maxSockets: AT_ONCE });

function send({ url, method, paths, bodies, headers }: GuardedRound, index: number): Promise<number> {
  const body = bodies[index];
  const length = body === undefined ? {} : { 'content-length': Buffer.byteLength(body) };
  return new Promise((resolve, reject) => {
    const options = { agent, method, headers: { ...headers, ...length } };
    request(`${url}${paths[index]}`, options, (response) => {
      response.resume();
      response.on('end', () => resolve(response.statusCode ?? 0));
    })
      .on('error', reject)
      .end(body);
  });
}

process.on('message', (round: GuardedRound) => {
  let [next, wrong] = [0, 0];
  const worker = async () => {
    while (next < round.paths.length) if ((await send(round, next++)) !== round.status) wrong += 1;
  };
  void Promise.all(Array.from({ length: AT_ONCE }, worker)).then(() => process.send?.(wrong));
});
process.send?.('ready');
