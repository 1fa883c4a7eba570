import { linkCitations, type MarkdownNode } from './link-citations.js';

const text = (value: string): MarkdownNode => ({ type: 'text', value });
const paragraph = (...children: MarkdownNode[]): MarkdownNode => ({ type: 'paragraph', children });

function linked(tree: MarkdownNode, ...known: string[]): MarkdownNode {
  linkCitations(new Map(known.map((id) => [id, `#${id}`])))(tree);
  return tree;
}

describe('S2-32 citations in a text', () => {
  it('become links to the evidence they name', () => {
    const tree = linked(paragraph(text('It is listed [E2], twice [E10].')), 'E2', 'E10');
    expect(tree.children).toEqual([
      text('It is listed '),
      { type: 'link', url: '#E2', children: [text('E2')] },
      text(', twice '),
      { type: 'link', url: '#E10', children: [text('E10')] },
      text('.'),
    ]);
  });

  it('become a link each where several are cited together', () => {
    const link = (id: string): MarkdownNode => ({ type: 'link', url: `#${id}`, children: [text(id)] });
    const tree = linked(paragraph(text('Seen [E1, E2,E9].')), 'E1', 'E2');
    const parts = [text('Seen '), link('E1'), text(' '), link('E2'), text(' '), text('[E9]'), text('.')];
    expect(tree.children).toEqual(parts);
  });

  it('stay text where no evidence has that id', () => {
    expect(linked(paragraph(text('See [E9].')), 'E1').children).toEqual([text('See [E9].')]);
  });

  it('are found at any depth, but not in code and not inside a link', () => {
    const code: MarkdownNode = { type: 'inlineCode', value: '[E1]' };
    const link: MarkdownNode = { type: 'link', url: 'https://a.example', children: [text('[E1]')] };
    const tree = linked(paragraph({ type: 'strong', children: [text('[E1]')] }, code, link), 'E1');
    expect(tree.children).toEqual([
      { type: 'strong', children: [{ type: 'link', url: '#E1', children: [text('E1')] }] },
      { type: 'inlineCode', value: '[E1]' },
      { type: 'link', url: 'https://a.example', children: [text('[E1]')] },
    ]);
  });
});
