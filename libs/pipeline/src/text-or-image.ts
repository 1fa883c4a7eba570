import type { AlertInput, FieldProblem } from '@casefile/contracts';

/** Is there a text, or an image to read it from? */
export function hasTextOrImage({ text, image }: AlertInput): boolean {
  return (text !== undefined && text.trim() !== '') || image !== undefined;
}

/** @param what The playbook's word for its text, with an article. */
export function expectTextOrImage(what: string): (alert: AlertInput) => FieldProblem[] {
  return (alert) =>
    hasTextOrImage(alert) ? [] : [{ path: 'text', message: `expected ${what}, or an image to read it from` }];
}
