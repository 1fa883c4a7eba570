import type { AlertInput, Brief, FieldProblem } from '@casefile/contracts';

/** Returns whether an alert has a text, or an image to read one from. */
export function hasTextOrImage({ text, image }: AlertInput): boolean {
  return (text !== undefined && text.trim() !== '') || image !== undefined;
}

/**
 * Returns a check that an alert has a text or an image.
 * @param what the playbook's word for its text, with an article
 */
export function expectTextOrImage(what: string): (alert: AlertInput) => FieldProblem[] {
  return (alert) =>
    hasTextOrImage(alert) ? [] : [{ path: 'text', message: `expected ${what}, or an image to read it from` }];
}

/**
 * Returns sentences on the parts of an alert's image that could not be read. Empty: all was read, or there is
 * no image.
 */
export function unreadOf({ brief }: { brief: Pick<Brief, 'image'> }): readonly string[] {
  return brief.image?.unread ?? [];
}

/** Returns whether there was no text to judge. */
export function hasNoText({ brief }: { brief: Pick<Brief, 'image' | 'text' | 'textSource'> }): boolean {
  return brief.textSource === 'none' || (brief.image !== undefined && brief.text.trim() === '');
}
