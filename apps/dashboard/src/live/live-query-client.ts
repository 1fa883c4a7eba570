import {
  QueryClient,
  type InvalidateOptions,
  type InvalidateQueryFilters,
  type Query,
  type QueryKey,
} from '@tanstack/react-query';

/**
 * A query client that shows every change it was notified of. If a query is invalidated during its first read,
 * TanStack's own client treats that read as fresh, so a change that the read missed never appears. It aborts
 * other reads and starts them again, so that none completes while events keep arriving. This client lets the
 * current read complete and then reads once more.
 */
export class LiveQueryClient extends QueryClient {
  private readonly planned = new Map<Query, Promise<void>>();

  /** As in `QueryClient`, without `cancelRefetch`: reads in flight are never aborted. */
  override async invalidateQueries<Key extends QueryKey = QueryKey>(
    filters?: InvalidateQueryFilters<Key>,
    options?: Omit<InvalidateOptions, 'cancelRefetch'>,
  ): Promise<void> {
    const own = { ...options, cancelRefetch: false };
    const inFlight = this.getQueryCache().findAll({ ...filters, fetchStatus: 'fetching' });
    const later = inFlight.map((query) => this.readOnceMore(query, own));
    await Promise.all([super.invalidateQueries(filters, own), ...later]);
  }

  // All invalidations during one read are served by the same second read.
  private readOnceMore(query: Query, options: InvalidateOptions): Promise<void> {
    const planned = this.planned.get(query);
    if (planned !== undefined) return planned;
    const again = async (): Promise<void> => {
      // Returns the promise of the read in flight. Its failure is shown by the page that reads.
      await query.fetch(undefined, { cancelRefetch: false }).catch(() => undefined);
      this.planned.delete(query);
      await super.invalidateQueries({ predicate: (candidate) => candidate === query }, options);
    };
    const promise = again();
    this.planned.set(query, promise);
    return promise;
  }
}
