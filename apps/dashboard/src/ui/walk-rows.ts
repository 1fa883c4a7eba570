/** Attributes of a row of a list, between which the keys j and k move on every page. */
export const ROW = { 'data-row': '', tabIndex: -1 } as const;

/** Returns the place of the row to move to, from the place of the current one; -1: none is current. */
export function nextPlace(at: number, by: 1 | -1, count: number): number {
  return at < 0 ? 0 : Math.min(Math.max(at + by, 0), count - 1);
}

/** Moves the focus to the next or previous row of all lists of the page, in the order of the page. */
export function walkRows(by: 1 | -1): void {
  // Rows of a closed section cannot take the focus.
  const rows = [...document.querySelectorAll<HTMLElement>('main [data-row]')].filter((row) =>
    row.checkVisibility(),
  );
  const current = document.activeElement?.closest<HTMLElement>('[data-row]') ?? null;
  const at = current === null ? -1 : rows.indexOf(current);
  rows[nextPlace(at, by, rows.length)]?.focus();
}

/** Opens the document of a row that has the focus: follows its first link. */
export function openRow({ key, target }: Pick<KeyboardEvent, 'key' | 'target'>): void {
  if (key !== 'Enter' || !(target instanceof HTMLElement) || !('row' in target.dataset)) return;
  target.querySelector<HTMLElement>('a[href], summary, button')?.click();
}
