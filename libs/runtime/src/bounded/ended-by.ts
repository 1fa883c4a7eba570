/** Signals with which the watchdog ends its process. By default both end it, and nothing else sends them. */
export const ENDED_BY = { memory: 'SIGUSR2', time: 'SIGALRM' } as const satisfies Record<
  string,
  NodeJS.Signals
>;
