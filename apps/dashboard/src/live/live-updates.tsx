import type { EventRecord } from '@casefile/contracts';
import { useQueryClient, type QueryClient } from '@tanstack/react-query';
import { createContext, useContext, useEffect, useRef, useState, type ReactNode } from 'react';
import { activity, activityKind } from './activity.js';
import { EventStream, type StreamState } from './event-stream.js';
import { throttle } from './throttle.js';

type Handler = (event: EventRecord) => void;

const LiveContext = createContext<{ state: StreamState; handlers: Set<Handler> } | null>(null);

/**
 * Time in the background, in milliseconds, after which a page reads all data again when it becomes visible.
 */
const CATCH_UP_WITHIN_MS = 60_000;

/** Keeps the page up to date: every event marks the queries it affects as stale. */
export function LiveUpdates({ children }: { children: ReactNode }) {
  const client = useQueryClient();
  const handlers = useRef(new Set<Handler>()).current;
  const [state, setState] = useState<StreamState>('connecting');
  useEffect(() => {
    const refresh = refresher(client);
    const stream = new EventStream({
      onEvent: (event) => {
        refresh.after(event);
        const kind = activityKind(event.type);
        if (kind !== null) activity.add(kind, Date.parse(event.at));
        for (const handler of handlers) handler(event);
      },
      onGap: () => void client.invalidateQueries(),
      onState: setState,
    });
    const stopWatching = whileVisible(stream);
    return () => {
      stopWatching();
      stream.stop();
      refresh.cancel();
    };
  }, [client, handlers]);
  return <LiveContext value={{ state, handlers }}>{children}</LiveContext>;
}

/** Returns the state of the stream. The page is up to date while the stream is open. */
export function useLiveState(): StreamState {
  return useContext(LiveContext)?.state ?? 'connecting';
}

/** Calls `handler` with every event while the component is shown. */
export function useEvents(handler: Handler): void {
  const handlers = useContext(LiveContext)?.handlers;
  const latest = useRef(handler);
  useEffect(() => void (latest.current = handler));
  useEffect(() => {
    const own: Handler = (event) => latest.current(event);
    handlers?.add(own);
    return () => void handlers?.delete(own);
  }, [handlers]);
}

// Browsers allow few connections per origin, so hidden pages close theirs.
function whileVisible(stream: EventStream): () => void {
  let hiddenAt: number | null = null;
  const look = (): void => {
    if (document.hidden) {
      hiddenAt = Date.now();
      stream.stop();
      return;
    }
    if (hiddenAt !== null && Date.now() - hiddenAt > CATCH_UP_WITHIN_MS) stream.forget();
    hiddenAt = null;
    stream.start();
  };
  document.addEventListener('visibilitychange', look);
  look();
  return () => document.removeEventListener('visibilitychange', look);
}

const CASE_EVERY_MS = 400;
const LIST_REFRESH_MS = 1_000;

function refresher(client: QueryClient): { after(event: EventRecord): void; cancel(): void } {
  const touched = new Set<string>();
  const cases = throttle(() => {
    for (const caseId of touched)
      for (const name of ['case', 'review']) void client.invalidateQueries({ queryKey: [name, caseId] });
    touched.clear();
  }, CASE_EVERY_MS);
  const lists = throttle(() => {
    void client.invalidateQueries({ queryKey: ['cases', 'head'] });
    void client.invalidateQueries({ queryKey: ['pipeline'] });
    for (const name of ['reviews', 'inbox']) void client.invalidateQueries({ queryKey: [name] });
  }, LIST_REFRESH_MS);
  const letters = throttle(() => {
    void client.invalidateQueries({ queryKey: ['dead-letters'] });
  }, LIST_REFRESH_MS);
  return {
    after: (event) => {
      if (event.caseId !== null) {
        touched.add(event.caseId);
        cases.call();
      }
      lists.call();
      if (touchesDeadLetters(event.type)) letters.call();
    },
    cancel: () => [cases, lists, letters].forEach((it) => it.cancel()),
  };
}

function touchesDeadLetters(type: string): boolean {
  return (
    type.startsWith('operator.') ||
    type === 'run.quarantined' ||
    type === 'run.redriven' ||
    type.startsWith('dead-letter')
  );
}
