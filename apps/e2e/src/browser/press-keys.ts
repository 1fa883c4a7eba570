import type { Page } from 'playwright-core';

/**
 * Presses the two keys of a shortcut. Both are sent at once, because a second key that comes too late, as on a busy
 * machine, no longer belongs to the shortcut.
 */
export async function pressKeys({ keyboard }: Page, first: string, second: string): Promise<void> {
  await Promise.all([keyboard.press(first), keyboard.press(second)]);
}
