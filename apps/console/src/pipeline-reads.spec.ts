import { pipelineView } from './pipeline-view.js';
import { pipelineSources as sources } from './testing/pipeline-sources.js';

describe('reads of the pipeline', () => {
  it('looks once, however many ask', async () => {
    const { found, looks } = sources();
    const view = pipelineView(found);
    await Promise.all(Array.from({ length: 50 }, view));
    expect(looks()).toBe(1);
  });

  it('ends every read of a view that fails before it reads the next one', async () => {
    let endSlow!: () => void;
    const slow = new Promise<number>((resolve) => (endSlow = () => resolve(1)));
    const { found } = sources({ runs: { backlog: () => slow } });
    let tries = 0;
    found.queue.depths = async () => {
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
});
