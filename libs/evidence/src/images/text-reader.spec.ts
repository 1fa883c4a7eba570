import { readFileSync } from 'node:fs';
import { CasefileError, type TextReader } from '@casefile/contracts';
import { IMAGE_LIMITS } from './check-image.js';
import { createTextReader } from './text-reader.js';

const never = new AbortController().signal;
const fixture = (name: string) => readFileSync(new URL(`../testing/fixtures/${name}`, import.meta.url));
const languages = ['eng', 'hin'];

describe('S1-01 the text reader', () => {
  let reader: TextReader;
  beforeAll(() => (reader = createTextReader({ languages, timeoutMs: 300_000 })));
  afterAll(() => reader.close());

  it.each(['notice.png', 'notice.jpg', 'notice.webp'])('reads %s offline', async (name) => {
    const { text, confidence } = await reader.read(fixture(name), never);
    expect(text).toContain('Your parcel is held.');
    expect(text).toContain('parcel-fee.example');
    expect(text).toContain('+1 202 555 0143');
    expect(confidence).toBeGreaterThan(60);
    expect(confidence).toBeLessThanOrEqual(100);
  });

  it('reads Hindi and English', async () => {
    const { text } = await reader.read(fixture('hindi.png'), never);
    expect(text).toContain('आपका खाता बंद');
  });

  it('reads images that come at the same time, each to its own caller', async () => {
    const [first, second] = await Promise.all([
      reader.read(fixture('hindi.png'), never),
      reader.read(fixture('notice.png'), never),
    ]);
    expect(first.text).toContain('खाता');
    expect(second.text).toContain('parcel');
  });

  const damaged = (name: string, from: number, step: number) => {
    const image = Buffer.from(fixture(name));
    for (let i = from; i < image.length - 60; i += step) image[i] = (image[i] ?? 0) ^ 0x5a;
    return image;
  };
  const cut = (name: string) => fixture(name).subarray(0, fixture(name).length / 2);
  const sized = (width: number, height: number) => {
    const image = Buffer.from(fixture('notice.png'));
    image.writeUInt32BE(width, 16);
    image.writeUInt32BE(height, 20);
    return image;
  };

  it.each([
    ['nothing', Buffer.alloc(0)],
    ['text', Buffer.from('hello')],
    ['a GIF', Buffer.from('GIF89a\x01\x00\x01\x00')],
    ['a mere signature', fixture('notice.png').subarray(0, 8)],
    ['a PNG cut short', cut('notice.png')],
    ['a JPEG cut short', cut('notice.jpg')],
    ['a WebP cut short', cut('notice.webp')],
    ['a PNG with broken content', damaged('notice.png', 200, 7)],
    ['a JPEG with broken content', damaged('notice.jpg', 300, 37)],
    ['a WebP with broken content', damaged('notice.webp', 40, 3)],
    ['a PNG that claims 2,500,000,000 pixels', sized(50_000, 50_000)],
    ['a PNG without width', sized(0, 100)],
    ['a file that is too big', Buffer.concat([fixture('notice.png'), Buffer.alloc(IMAGE_LIMITS.maxBytes)])],
  ])('says that %s is unreadable, and continues', async (_what, image) => {
    await expect(reader.read(image, never)).rejects.toMatchObject({ reasonCode: 'unreadable_image' });
  });

  it('reads the next image after all of those', async () => {
    await expect(reader.read(fixture('notice.png'), never)).resolves.toMatchObject({
      text: expect.stringContaining('parcel'),
    });
  });

  it('is called off by its signal, at work and in the queue, and continues', async () => {
    const [first, second] = [new AbortController(), new AbortController()];
    const both = [
      reader.read(fixture('notice.png'), first.signal),
      reader.read(fixture('notice.png'), second.signal),
    ];
    const third = reader.read(fixture('notice.png'), never);
    const settled = Promise.allSettled(both);
    setImmediate(() => {
      second.abort(new CasefileError('stopping', 'stop'));
      first.abort(new CasefileError('stale_lease', 'gone'));
    });
    expect(await settled).toMatchObject([
      { reason: { reasonCode: 'stale_lease' } },
      { reason: { reasonCode: 'stopping' } },
    ]);
    await expect(third).resolves.toMatchObject({ text: expect.stringContaining('parcel') });
  });
});

describe('S1-01 a text reader of its own', () => {
  it('ends an image that takes too long, and reports what could not be read', async () => {
    const reader = createTextReader({ languages, timeoutMs: 1 });
    await expect(reader.read(fixture('notice.png'), never)).resolves.toMatchObject({
      text: '',
      reading: { unread: expect.arrayContaining([expect.stringContaining('within 1 seconds')]) },
    });
    await reader.close();
  });

  it('names the package of a language that is not installed', async () => {
    const reader = createTextReader({ languages: ['eng', 'tlh'] });
    const failure = reader.read(fixture('notice.png'), never);
    await expect(failure).rejects.toMatchObject({
      reasonCode: 'not_configured',
      message: expect.stringContaining('tlh'),
    });
    await reader.close();
  });

  it('reads nothing once it is closed, and lets go of what it was reading', async () => {
    const reader = createTextReader({ languages, timeoutMs: 300_000 });
    const reading = reader.read(fixture('notice.png'), never);
    const settled = Promise.allSettled([reading]);
    await reader.close();
    expect(await settled).toMatchObject([{ status: 'rejected', reason: { reasonCode: 'closed' } }]);
    await expect(reader.read(fixture('notice.png'), never)).rejects.toMatchObject({ reasonCode: 'closed' });
  });
});
