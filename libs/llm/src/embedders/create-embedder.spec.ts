import { manualClock } from '@casefile/contracts/testing';
import { describeEmbedder } from '../testing/embedder.conformance.js';
import { createEmbedder } from './create-embedder.js';

describeEmbedder('the offline encoder', async () => ({
  embedder: createEmbedder({}, manualClock()),
  close: async () => undefined,
}));

describe('createEmbedder', () => {
  it('S3-10 loads nothing until the first text', () => {
    expect(createEmbedder({}, manualClock()).languages).toEqual(['en']);
  });

  it.each([
    [{ url: 'http://127.0.0.1:1/v1' }, /EMBEDDINGS_MODEL/],
    [{ model: 'm' }, /EMBEDDINGS_URL/],
  ])('S3-10 refuses a half of the settings and names the other: %j', (settings, named) => {
    expect(() => createEmbedder(settings, manualClock())).toThrow(named);
  });
});
