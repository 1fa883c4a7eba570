import { joinGroups, type Cell, type Group } from './forecast-cells.js';

/**
 * Returns the monotone function that fits the observed shares best by least squares, as blocks of equal value
 * (`observed / labels`), by pooling neighbours that decrease. Source: Ayer et al., Annals of Mathematical
 * Statistics 26 (1955), 641-647.
 */
export function isotonicBlocks(cells: readonly Cell[]): Group[] {
  const blocks: Group[] = [];
  for (const { stated, labels, observed } of cells) {
    let block: Group = { from: stated, to: stated, labels, stated: stated * labels, observed };
    for (
      let last = blocks.at(-1);
      last !== undefined && shareIn(last) >= shareIn(block);
      last = blocks.at(-1)
    ) {
      block = joinGroups(last, block);
      blocks.pop();
    }
    blocks.push(block);
  }
  return blocks;
}

/** Returns the share of a group's labels that are true. */
export function shareIn({ observed, labels }: Pick<Group, 'observed' | 'labels'>): number {
  return observed / labels;
}
