import { once } from 'node:events';
import { get as httpGet, type IncomingMessage, type ServerResponse } from 'node:http';
import { WebSocket } from 'ws';
import { pause, until } from '@casefile/contracts/testing';
import { startConsoleFake, type ConsoleFake } from '../testing/console-fake.js';
import { serveEventStream } from './serve-event-stream.js';

let fake: ConsoleFake;
beforeEach(async () => {
  fake = await startConsoleFake();
});
afterEach(() => fake.close());

/** A client of the event stream that reads until the test stops it. */
class StreamClient {
  text = '';
  ended = false;

  private constructor(readonly response: IncomingMessage) {
    response.setEncoding('utf8');
    response.on('data', (chunk: string) => (this.text += chunk));
    response.on('close', () => (this.ended = true));
    response.on('error', () => undefined);
  }

  static async open(query = '', headers: Record<string, string> = {}): Promise<StreamClient> {
    const request = httpGet(`${fake.url}/api/v1/events${query}`, { headers });
    const [response] = (await once(request, 'response')) as [IncomingMessage];
    return new StreamClient(response);
  }

  get ids(): string[] {
    return [...this.text.matchAll(/^id: (.*)$/gm)].map((match) => match[1] ?? '');
  }

  leave(): void {
    this.response.destroy();
  }
}

const add = (count: number): void => void Array.from({ length: count }, () => fake.log.add());

describe('GET /events', () => {
  it('begins with what is yet to come', async () => {
    add(3);
    const client = await StreamClient.open();
    add(2);
    await until('two events', () => client.ids.length === 2);
    expect(client.ids).toEqual(['4-0', '5-0']);
    expect(client.response.headers['content-type']).toContain('text/event-stream');
    expect(client.text).toMatch(/^event: stage.completed$/m);
    client.leave();
  });

  it('S2-31 continues after Last-Event-ID without a gap and without a duplicate, however often the line breaks', async () => {
    let last = '0';
    const seen: string[] = [];
    for (let connection = 0; connection < 8; connection += 1) {
      const client = await StreamClient.open('', { 'last-event-id': last });
      add(7);
      // The connection breaks while events are sent. Events that were not read yet must be sent again.
      await until('three events', () => client.ids.length >= 3);
      client.leave();
      const had = client.ids.slice(0, 3);
      seen.push(...had);
      last = had.at(-1) ?? last;
    }
    const client = await StreamClient.open('', { 'last-event-id': last });
    await until('the other events', () => seen.length + client.ids.length === fake.log.events.length);
    expect([...seen, ...client.ids]).toEqual(fake.log.ids());
    client.leave();
  });

  it('lets lastEventId=0 stand for the beginning', async () => {
    add(2);
    const client = await StreamClient.open('?lastEventId=0');
    await until('two events', () => client.ids.length === 2);
    expect(client.ids).toEqual(['1-0', '2-0']);
    client.leave();
  });

  it('answers an id that is none as a problem that names it', async () => {
    const response = await fetch(`${fake.url}/api/v1/events`, { headers: { 'last-event-id': 'never' } });
    expect(response.status).toBe(400);
    expect(await response.json()).toMatchObject({ errors: [{ path: 'lastEventId' }] });
  });

  it('stops reading the record when the client has left', async () => {
    const client = await StreamClient.open();
    await until('the first read', () => fake.log.reads > 0);
    client.leave();
    await until('the log is not read for a while', async () => {
      const { reads } = fake.log;
      await pause(30, 'With a listener the log would be read every 2 ms.');
      return fake.log.reads === reads;
    });
  });

  it('writes nothing and reads nothing for a client that left before its stream was open', async () => {
    // Any use of the response except `destroyed` throws.
    const response = { destroyed: true } as ServerResponse;
    await serveEventStream(fake.feed, undefined, {
      request: {} as IncomingMessage,
      response,
      role: 'reviewer',
    });
    add(1);
    await pause(10, 'With a listener the log would be read every 2 ms.');
    expect(fake.log.reads).toBe(0);
  });

  it('ends in order when the console stops', async () => {
    const client = await StreamClient.open();
    await fake.feed.close();
    await until('the stream has ended', () => client.ended);
    expect(client.response.complete).toBe(true);
  });
});

describe('/ws', () => {
  const socketUrl = (query = ''): string => `${fake.url.replace('http', 'ws')}/ws${query}`;

  it('S2-31 sends the same events as JSON, after lastEventId', async () => {
    add(4);
    const socket = new WebSocket(socketUrl('?lastEventId=2-0'));
    const frames: { id: string; type: string }[] = [];
    socket.on('message', (data) => frames.push(JSON.parse(String(data)) as { id: string; type: string }));
    await once(socket, 'open');
    add(1);
    await until('three frames', () => frames.length === 3);
    expect(frames.map((frame) => frame.id)).toEqual(['3-0', '4-0', '5-0']);
    expect(frames[0]).toMatchObject({ type: 'stage.completed', data: {} });
    socket.terminate();
  });

  it('S2-31 continues after lastEventId without a gap and without a duplicate, however often the line breaks', async () => {
    const seen: string[] = [];
    for (let connection = 0; connection < 8; connection += 1) {
      add(7);
      const socket = new WebSocket(socketUrl(`?lastEventId=${seen.at(-1) ?? '0'}`));
      const had: string[] = [];
      socket.on('message', (data) => had.push((JSON.parse(String(data)) as { id: string }).id));
      // The connection breaks while events are sent. Events that were not processed yet must be sent again.
      await until('three events', () => had.length >= 3);
      socket.terminate();
      seen.push(...had.slice(0, 3));
    }
    expect(seen).toEqual(fake.log.ids().slice(0, 24));
  });

  it.each([
    ['another path', '/elsewhere', {}, '404'],
    ['a page of another site', '/ws', { origin: 'https://evil.example' }, '403'],
    ['an id that is none', '/ws?lastEventId=never', {}, '400'],
  ])('refuses %s', async (_what, path, headers, status) => {
    const socket = new WebSocket(`${fake.url.replace('http', 'ws')}${path}`, { headers });
    const [error] = (await once(socket, 'error')) as [Error];
    expect(error.message).toContain(status);
  });

  it('closes sockets as going away when the console stops', async () => {
    const socket = new WebSocket(socketUrl());
    await once(socket, 'open');
    const closed = once(socket, 'close');
    await fake.feed.close();
    expect((await closed)[0]).toBe(1001);
  });
});

describe('as many listeners as a process serves', () => {
  it('E-07 are 200: one address that has most of them keeps no browser of another address out', async () => {
    const closed: number[] = [];
    const idle = (i: number) => ({
      send: () => undefined,
      hasRoom: () => true,
      close: () => void closed.push(i),
    });
    const leave = Array.from({ length: 200 }, (_, i) =>
      fake.feed.listen(null, idle(i), { address: i === 0 ? '10.0.0.1' : '10.0.0.2', role: 'reviewer' }),
    );
    const stream = await StreamClient.open();
    expect(stream.response.statusCode).toBe(200);
    const socket = new WebSocket(`${fake.url.replace('http', 'ws')}/ws`);
    await once(socket, 'open');
    expect(closed).toEqual([1, 2]);
    stream.leave();
    socket.terminate();
    leave.forEach((one) => one());
  });
});
