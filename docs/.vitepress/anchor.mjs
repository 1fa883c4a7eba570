/** Returns the anchor that GitHub gives to a heading. The site uses the same, so that links work on both. */
export function anchorOf(heading) {
  return heading
    .toLowerCase()
    .replace(/[^\p{L}\p{N}\s_-]/gu, '')
    .replace(/\s/g, '-');
}
