import { EventEmitter, once } from 'node:events';
import { guardCallback } from './guarded.js';

describe('a callback for a library', () => {
  it('reports what it throws and what its promise rejects with, and throws nothing into the event', async () => {
    const emitter = new EventEmitter();
    const reported = new EventEmitter();
    const report = (error: unknown) => void reported.emit('error of it', error);
    const [thrown, rejected] = [new Error('thrown'), new Error('rejected')];
    emitter.on(
      'sync',
      guardCallback(() => {
        throw thrown;
      }, report),
    );
    emitter.on(
      'async',
      guardCallback(() => Promise.reject(rejected), report),
    );
    const first = once(reported, 'error of it');
    emitter.emit('sync');
    expect(await first).toEqual([thrown]);
    const second = once(reported, 'error of it');
    emitter.emit('async');
    expect(await second).toEqual([rejected]);
  });

  it('receives the arguments of the event', () => {
    const received: unknown[] = [];
    guardCallback(
      (...args: number[]) => received.push(...args),
      () => received.push('reported'),
    )(1, 2);
    expect(received).toEqual([1, 2]);
  });
});
