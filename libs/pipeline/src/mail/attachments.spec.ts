import fc from 'fast-check';
import type { Attachment } from 'postal-mime';
import { readAttachments } from './attachments.js';

const file = (filename: string, mimeType: string, content: Uint8Array | string): Attachment => ({
  filename,
  mimeType,
  disposition: 'attachment',
  content: typeof content === 'string' ? content : Uint8Array.from(content).buffer,
});
const PNG = Buffer.from('\x89PNG\r\n\x1a\n', 'latin1');
const picture = (bytes: number) => Buffer.concat([PNG, Buffer.alloc(bytes)]);
const LURE = '<p>Log in at <a href="http://evil-login.example/x">www.mybank.example</a></p>';

describe('S1-17 attachments of a mail', () => {
  it.each([
    ['a text', file('note.txt', 'text/plain', 'Pay at http://a.example/x'), 'Pay at http://a.example/x'],
    ['a text as bytes', file('n.txt', 'text/plain', Buffer.from('größer')), 'größer'],
    ['a text in Latin-1', file('n.txt', 'text/plain', Buffer.from('größer', 'latin1')), 'größer'],
    ['a page', file('p.html', 'text/html', LURE), 'www.mybank.example <http://evil-login.example/x>'],
    ['a page of unknown type', file('p.htm', 'application/octet-stream', LURE), 'evil-login.example'],
  ])('%s is read below its name', (_what, attachment, text) => {
    const read = readAttachments([attachment]);
    expect(read.text).toContain(`Attachment ${attachment.filename}:`);
    expect(read.text).toContain(text);
    expect(read.text).not.toContain('<p>');
    expect(read.images).toEqual([]);
  });

  it('notes a misleading link of an attached page', () => {
    expect(readAttachments([file('p.html', 'text/html', LURE)]).notes).toEqual([
      'A link shows "www.mybank.example" but leads to "evil-login.example".',
    ]);
  });

  it('hands over pictures by their bytes, the largest first, and no small ones', () => {
    const [small, mid, large] = [picture(100), picture(6_000), picture(9_000)];
    const read = readAttachments([
      file('logo.png', 'image/png', small),
      file('a.bin', 'application/octet-stream', mid),
      file('b.png', 'image/png', large),
    ]);
    expect(read.images.map(({ length }) => length)).toEqual([large.length, mid.length]);
    expect(read.notes).toEqual(['Attachments of the mail were not read: logo.png (a small picture).']);
  });

  it.each([
    ['bill.pdf', 'application/pdf', Buffer.from('%PDF'), 'a type that is not read'],
    ['fake.png', 'image/png', Buffer.from('MZ'), 'a type that is not read'],
    ['long.txt', 'text/plain', Buffer.alloc(200_001, 'a'), 'too large'],
  ])('names %s, which is not read', (name, type, content, reason) => {
    const { text, notes } = readAttachments([file(name, type, content)]);
    expect([text, notes]).toEqual(['', [`Attachments of the mail were not read: ${name} (${reason}).`]]);
  });

  it('tells the reason of each file, also when two have one name', () => {
    const { notes } = readAttachments([
      file('bill', 'text/plain', 'Hello'),
      file('bill', 'application/pdf', Buffer.from('%PDF')),
    ]);
    expect(notes).toEqual(['Attachments of the mail were not read: bill (a type that is not read).']);
  });

  it('reads a bounded number of each, and accounts for every attachment', () => {
    const one = fc.constantFrom(
      file('a.txt', 'text/plain', 'Hello'),
      file('b.png', 'image/png', picture(5_000)),
      file('c.zip', 'application/zip', Buffer.from('PK')),
    );
    fc.assert(
      fc.property(fc.array(one, { maxLength: 10 }), (attachments) => {
        const { text, images, notes } = readAttachments(attachments);
        const texts = text.match(/^Attachment /gm)?.length ?? 0;
        const unread = notes.join().match(/\(/g)?.length ?? 0;
        expect(texts).toBeLessThanOrEqual(5);
        expect(images.length).toBeLessThanOrEqual(3);
        expect(texts + images.length + unread).toBe(attachments.length);
      }),
    );
  });
});
