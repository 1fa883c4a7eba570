import type { ConditionList } from '@casefile/contracts';
import type { StreamState } from '../live/event-stream.js';

/**
 * Returns what the mark in the header shows. An open error comes first, also while updates do not arrive, because the
 * page then knows the cause. `live`: updates arrive, and no error is known to be open.
 * @param conditions The last answer, and whether the newest reading failed.
 */
export function liveState(
  stream: StreamState,
  { data, isError }: { data: ConditionList | undefined; isError: boolean },
): StreamState | 'problem' | 'unknown' {
  const hasError = data?.conditions.some(({ severity }) => severity === 'error') === true;
  if (hasError && !isError) return 'problem';
  if (stream !== 'live') return stream;
  if (isError) return 'unknown';
  return data === undefined ? 'connecting' : 'live';
}
