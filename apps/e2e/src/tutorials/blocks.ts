import { readFileSync } from 'node:fs';

/** A block of code of a tutorial. */
interface Block {
  language: string;
  text: string;
}

/** Returns the blocks of a tutorial in the order of its text. */
export function tutorialBlocks(page: string): Block[] {
  const text = readFileSync(new URL(`../../../../docs/tutorials/${page}.md`, import.meta.url), 'utf8');
  return [...text.matchAll(/^```(\w*)[^\n]*\n([^]*?)^```$/gm)].map(([, language = '', block = '']) => ({
    language,
    text: block.trimEnd(),
  }));
}

/** Returns the first block of a language that contains a text. @throws Error if there is none. */
export function blockWith(blocks: readonly Block[], language: string, part: string): string {
  const block = blocks.find((one) => one.language === language && one.text.includes(part));
  if (block === undefined) throw new Error(`The tutorial has no block ${language} with ${part}`);
  return block.text;
}
