import { t } from '../strings/text.js';
import type { ReactNode } from 'react';
import { Failed, Skeleton } from './states.js';

/** State of a query, as far as a page shows it. */
export interface QueryState<T> {
  data: T | undefined;
  error: unknown;
  refetch(): unknown;
}

/**
 * Shows the answer of a query: bars while it loads, and the error with a button to retry if there is no answer.
 * @param what names the answer as a plural, such as "The keys".
 */
export function Answer<T>({
  of: { data, error, refetch },
  what,
  lines = 6,
  children,
}: {
  of: QueryState<T>;
  what: string;
  lines?: number;
  children(data: T): ReactNode;
}) {
  if (data !== undefined) return <>{children(data)}</>;
  if (error !== null)
    return <Failed what={t('ui.couldNotBeRead', { what })} error={error} retry={() => void refetch()} />;
  return (
    <div className="panel">
      <Skeleton lines={lines} label={t('ui.areLoading', { what })} />
    </div>
  );
}
