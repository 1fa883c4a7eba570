/**
 * Runs `work` immediately and then at most every `everyMs`. Calls within one interval cause a single run at
 * its end. `cancel` drops this pending run.
 */
export function throttle(work: () => void, everyMs: number): { call(): void; cancel(): void } {
  let timer: ReturnType<typeof setTimeout> | null = null;
  let again = false;
  const run = (): void => {
    work();
    timer = setTimeout(() => {
      timer = null;
      if (!again) return;
      again = false;
      run();
    }, everyMs);
  };
  return {
    call: () => {
      if (timer === null) run();
      else again = true;
    },
    cancel: () => {
      if (timer !== null) clearTimeout(timer);
      timer = null;
      again = false;
    },
  };
}
