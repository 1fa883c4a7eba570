import { gfmFromMarkdown } from 'mdast-util-gfm';
import { gfm } from 'micromark-extension-gfm';

/** The part of a Markdown processor that an extension adds to. */
interface Extended {
  data(): object;
}

/** What `remark-gfm` does for reading (tables, bare links and the like), without its other half that writes Markdown: 11 kB. */
export function readGfm(this: Extended): void {
  const data = this.data() as { micromarkExtensions?: unknown[]; fromMarkdownExtensions?: unknown[] };
  (data.micromarkExtensions ??= []).push(gfm());
  (data.fromMarkdownExtensions ??= []).push(gfmFromMarkdown());
}
