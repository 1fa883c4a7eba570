import type { BulkReviewed, JsonObject, ListedReview, ReviewList, ShownReview } from '@casefile/contracts';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { getJson, postJson } from './request.js';

const LIST = 'reviews';
const ONE = 'review';
/** Maximum number of cases that the desk shows. The next ones follow when these are answered. */
const LISTED = 100;
/**
 * Polling interval in milliseconds, because snoozes end and other people act without an event of this page.
 */
const EVERY_MS = 5_000;
/**
 * Interval in milliseconds for reporting that the case is open. The server forgets a viewer after a minute.
 */
const OPEN_EVERY_MS = 20_000;

/** Filters of the desk, in the page's URL. */
export const REVIEW_FILTERS = ['state', 'playbook', 'reason', 'assignee', 'to', 'q'] as const;
export type ReviewFilterName = (typeof REVIEW_FILTERS)[number];
export type ReviewFilter = Partial<Record<ReviewFilterName, string>>;

/** Reads the verdicts that wait, oldest first. */
export function useReviews(filter: ReviewFilter) {
  const search = new URLSearchParams({ ...filter, limit: String(LISTED) });
  return useQuery({
    queryKey: [LIST, search.toString()],
    queryFn: ({ signal }) => getJson<ReviewList>(`/reviews?${search.toString()}`, signal),
    refetchInterval: EVERY_MS,
  });
}

/** Most verdicts of one bulk request. */
const MOST_IN_BULK = 1_000;
const PAGE = 200;

/** Reads all verdicts that match, the oldest first, up to the number that one bulk request takes. */
export async function allReviews(filter: ReviewFilter): Promise<ListedReview[]> {
  const reviews: ListedReview[] = [];
  for (let cursor: string | null | undefined; cursor !== null && reviews.length < MOST_IN_BULK;) {
    const search = new URLSearchParams({ ...filter, limit: String(PAGE), ...(cursor && { cursor }) });
    const page: ReviewList = await getJson(`/reviews?${search.toString()}`);
    reviews.push(...page.reviews);
    cursor = page.nextCursor;
  }
  return reviews;
}

/** The same act for many cases, with the id that lets it be repeated and taken back. */
export interface BulkAct {
  ids: readonly string[];
  actId: string;
  agree?: true;
  outcome?: JsonObject;
  undoes?: string;
  note?: string;
  dryRun?: boolean;
}

/** Records a bulk act of this person, or previews it. */
export function useBulkAct(by: string) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (act: BulkAct) => postJson<BulkReviewed>('/reviews/bulk', { ...act, by }),
    onSettled: () => {
      for (const key of [LIST, 'inbox']) void client.invalidateQueries({ queryKey: [key] });
    },
  });
}

/** Returns a new id for an act. `crypto.randomUUID` exists on secure origins only. */
export function newActId(): string {
  return Array.from(crypto.getRandomValues(new Uint32Array(4)), (part) =>
    part.toString(16).padStart(8, '0'),
  ).join('');
}

/** Reads one case of the desk and notes that this person has it open. */
export function useOpenReview(id: string | null, by: string) {
  return useQuery({
    queryKey: [ONE, id, by],
    queryFn: () => postJson<ShownReview>(`/reviews/${id ?? ''}/open`, { by }),
    enabled: id !== null,
    refetchInterval: OPEN_EVERY_MS,
  });
}

/** An act on a case of the desk. */
export interface DeskAct {
  id: string;
  act: 'answer' | 'acknowledge' | 'skip' | 'assign' | 'snooze' | 'comment' | 'undo';
  body: object;
}

/** Records an act of this person. */
export function useDeskAct(by: string) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: ({ id, act, body }: DeskAct) =>
      postJson<ShownReview>(`/reviews/${id}/${act}`, { ...body, by }),
    onSuccess: (review) => client.setQueryData([ONE, review.id, by], review),
    // The next act does not wait until the list has been read again.
    onSettled: () => {
      for (const key of [LIST, 'inbox']) void client.invalidateQueries({ queryKey: [key] });
    },
  });
}
