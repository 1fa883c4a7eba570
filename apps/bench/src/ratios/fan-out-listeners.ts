import { get, type IncomingMessage } from 'node:http';
import { WebSocket } from 'ws';

// Runs as a separate process, so that reading is not measured: `<url> <listeners>`. Sends `open` when all
// listeners are connected, and answers any message with the results of the listeners.

/** Events that the listeners received. */
export interface Heard {
  /** Number of events of all listeners. */
  events: number;
  /** Events of the listener that received the fewest. */
  fewest: number;
  /**
   * Delays from the event's own time to its arrival. The index is the delay in milliseconds, the value the
   * number of events.
   */
  latencies: number[];
}

const [url = '', listeners = '0'] = process.argv.slice(2);
const counts: number[] = [];
const latencies: number[] = [];
const AT = '"at":"';
const LENGTH = '2026-01-05T10:00:00.000Z'.length;

function listen(index: number): Promise<void> {
  counts[index] = 0;
  return url.startsWith('ws') ? overSocket(index) : overStream(index);
}

// One frame is one event.
function overSocket(index: number): Promise<void> {
  const socket = new WebSocket(url, { perMessageDeflate: false });
  socket.on('message', (data) => void hear(`${(data as Buffer).toString('latin1')}\n\n`, index));
  return new Promise((resolve, reject) => void socket.once('open', resolve).once('error', reject));
}

function overStream(index: number): Promise<void> {
  return new Promise((resolve, reject) => {
    const request = get(url, { agent: false }, (response: IncomingMessage) => {
      response.setEncoding('latin1');
      let rest = '';
      response.on('data', (chunk: string) => {
        rest = hear(rest + chunk, index);
      });
      resolve();
    });
    request.on('error', reject);
  });
}

// Reads the time of each complete event. The rest of a chunk begins the next one. Most events of a chunk have
// the same time.
function hear(text: string, index: number): string {
  const now = Date.now();
  let last = '';
  let latency = 0;
  let from = 0;
  for (;;) {
    const end = text.indexOf('\n\n', from);
    if (end < 0) return text.slice(from);
    const place = text.lastIndexOf(AT, end);
    if (place >= from) {
      const at = text.slice(place + AT.length, place + AT.length + LENGTH);
      if (at !== last) [last, latency] = [at, Math.max(0, now - Date.parse(at))];
      latencies[latency] = (latencies[latency] ?? 0) + 1;
      counts[index] = (counts[index] ?? 0) + 1;
    }
    from = end + 2;
  }
}

await Promise.all(Array.from({ length: Number(listeners) }, (_, index) => listen(index)));
process.on('message', () => {
  const heard: Heard = {
    events: counts.reduce((sum, count) => sum + count, 0),
    fewest: Math.min(...counts),
    latencies: Array.from(latencies, (count) => count ?? 0),
  };
  process.send?.(heard);
});
process.send?.('open');
