/** Runs `work` at once and then at most every `everyMs`; calls in between run once at the end of it. `cancel` drops that one. */
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
