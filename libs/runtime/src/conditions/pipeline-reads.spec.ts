import { pipelineView } from './pipeline-view.js';
import { pipelineSources as sources } from './testing/pipeline-sources.js';

describe('reads of the pipeline', () => {
  afterEach(() => void jest.useRealTimers());

  it('looks once a second, however many ask', async () => {
    jest.useFakeTimers();
    const { found, looks } = sources();
    const view = pipelineView(found);
    await Promise.all(Array.from({ length: 50 }, view));
    jest.advanceTimersByTime(999);
    await view();
    expect(looks()).toBe(1);
    jest.advanceTimersByTime(1);
    await view();
    expect(looks()).toBe(2);
  });

  it('has one look in progress at a time, and looks less often if it takes long', async () => {
    jest.useFakeTimers();
    const { found, looks } = sources();
    const { queues } = found;
    let seconds = 3;
    found.queues = async () => {
      for (let i = 0; i < seconds; i += 1) {
        await null;
        jest.advanceTimersByTime(1_000);
        void view();
      }
      return queues();
    };
    const view = pipelineView(found);
    await view();
    expect(looks()).toBe(1);
    seconds = 0;
    jest.advanceTimersByTime(7_999);
    await view();
    expect(looks()).toBe(1);
    jest.advanceTimersByTime(1);
    await view();
    expect(looks()).toBe(2);
    jest.advanceTimersByTime(1_000);
    await view();
    expect(looks()).toBe(3);
  });

  it('looks anew after an error', async () => {
    let fails = true;
    const { found } = sources({
      runs: {
        backlog: async () => {
          if (fails) throw new Error('away');
          return 1;
        },
      },
    });
    const view = pipelineView(found);
    await expect(view()).rejects.toThrow('away');
    fails = false;
    expect((await view()).backlog).toBe(1);
  });

  it('ends every read of a view that fails before it reads the next one', async () => {
    let endSlow!: () => void;
    const slow = new Promise<number>((resolve) => (endSlow = () => resolve(1)));
    const { found } = sources({ runs: { backlog: () => slow } });
    let tries = 0;
    found.queues = async () => {
      tries += 1;
      throw new Error('away');
    };
    const view = pipelineView(found);
    const seen = [view(), view()];
    await new Promise((resolve) => setImmediate(resolve));
    seen.push(view());
    expect(tries).toBe(1);
    endSlow();
    for (const one of await Promise.allSettled(seen)) expect(one.status).toBe('rejected');
    await expect(view()).rejects.toThrow('away');
    expect(tries).toBe(2);
  });

  it('reads again if a read never ends', async () => {
    jest.useFakeTimers();
    const { found, looks } = sources();
    const never = new Promise<never>(() => undefined);
    const { backlog } = found.store.runs;
    found.store.runs.backlog = () => never;
    const view = pipelineView(found);
    void view();
    found.store.runs.backlog = backlog;
    jest.advanceTimersByTime(30_000);
    await view();
    expect(looks()).toBe(2);
  });
});
