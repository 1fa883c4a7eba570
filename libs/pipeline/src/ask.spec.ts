import { manualClock } from '@casefile/contracts/testing';
import { ask } from './ask.js';
import { chooseSections } from './prompts/choose-sections.js';
import { FakeModel } from './testing/fake-model.js';
import { shippedPrompts } from './testing/shipped-prompts.js';

const section = { nodeId: '0001', title: 'Notice', summary: '', depth: 0, below: 0 };
const question = chooseSections({ query: 'When?', sections: [section], limit: 2 }, shippedPrompts);

describe('ask', () => {
  it('repeats the bytes of an unusable question, so that a prompt cache recognises them', async () => {
    const model = new FakeModel(manualClock(), ['Sections 2 and 3.', '{"nodeIds":["0001"]}']);
    const retrying = {
      ...question,
      render: (mark: string, wrong?: object) => `${question.render(mark)}${wrong ? ' again' : ''}`,
    };
    const result = await ask(retrying, { model, draw: model.draw(null), steps: [1, 2] });
    expect(result).toEqual({ value: ['0001'], tries: 2, remarks: [] });
    const [first, second] = model.calls.map(({ request }) => request.messages[1]!.content);
    expect(second).toBe(`${first} again`);
  });
});
