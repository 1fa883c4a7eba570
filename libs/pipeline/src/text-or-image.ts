import type { AlertInput, Brief, FieldProblem } from '@casefile/contracts';

/** Is there a text, or an image to read it from? */
export function hasTextOrImage({ text, image }: AlertInput): boolean {
  return (text !== undefined && text.trim() !== '') || image !== undefined;
}

/** @param what The playbook's word for its text, with an article. */
export function expectTextOrImage(what: string): (alert: AlertInput) => FieldProblem[] {
  return (alert) =>
    hasTextOrImage(alert) ? [] : [{ path: 'text', message: `expected ${what}, or an image to read it from` }];
}

/** Sentences on what could not be read of an alert's image; none: it was read, or there is none. */
export function unreadOf({ brief }: { brief: Pick<Brief, 'image'> }): readonly string[] {
  return brief.image?.unread ?? [];
}

/** Was there no text to judge? */
export function hasNoText({ brief }: { brief: Pick<Brief, 'image' | 'text' | 'textSource'> }): boolean {
  return brief.textSource === 'none' || (brief.image !== undefined && brief.text.trim() === '');
}
