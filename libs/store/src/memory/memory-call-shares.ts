import type { CallShares } from '@casefile/contracts';
import { fullBucket, takeShare, type Bucket } from '../plan/call-share.js';
import type { MemoryState } from './memory-state.js';

/** The shared limits of providers, for one process. */
export function memoryCallShares(state: MemoryState): CallShares {
  const buckets = new Map<string, Bucket>();
  return {
    takeCallShare: async (request) => {
      const bucket = buckets.get(request.provider) ?? fullBucket();
      buckets.set(request.provider, bucket);
      return takeShare(bucket, request, state.now());
    },
  };
}
