import { t } from '../../strings/text.js';
import type { ListedReview } from '@casefile/contracts';
import { useState } from 'react';
import { useToast } from '../../shell/toasts.js';
import type { DeskRow } from './desk-row.js';

/** Verdicts that are selected for one answer. They are of one kind, because each kind has its own answers. */
export interface Selection {
  selected: ReadonlyMap<string, ListedReview>;
  toggle(row: DeskRow): void;
  set(rows: readonly DeskRow[]): void;
  clear(): void;
}

/** Returns the selection of a desk. A verdict of another kind than the selected ones is refused. */
export function useSelection(): Selection {
  const toast = useToast();
  const [selected, setSelected] = useState<ReadonlyMap<string, ListedReview>>(new Map());
  const refuse = (kind: string): void =>
    toast({
      title: t('inbox.selectVerdictsOfOneKind2'),
      text: t('inbox.theSelectedOnesAreOf', { kind }),
      isError: true,
    });
  return {
    selected,
    toggle: ({ review }) => {
      if (review === null) return;
      const after = new Map(selected);
      const [first] = after.values();
      if (!after.delete(review.id)) {
        if (first !== undefined && first.playbook !== review.playbook) return refuse(first.playbook);
        after.set(review.id, review);
      }
      setSelected(after);
    },
    set: (rows) => {
      const reviews = rows.flatMap(({ review }) => (review === null ? [] : [review]));
      const [first] = reviews;
      if (reviews.some(({ playbook }) => playbook !== first?.playbook))
        return toast({
          title: t('inbox.selectVerdictsOfOneKind2'),
          text: t('inbox.filterByKindFirst'),
          isError: true,
        });
      setSelected(new Map(reviews.map((review) => [review.id, review])));
    },
    clear: () => setSelected(new Map()),
  };
}
