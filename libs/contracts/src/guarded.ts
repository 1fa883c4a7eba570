/**
 * Returns a callback that never throws, for use by a library. `report` receives the error if the callback
 * throws or its promise rejects. An error thrown into an event of a library would end the process.
 * @param report Must not throw.
 */
export function guardCallback<A extends unknown[]>(
  callback: (...args: A) => unknown,
  report: (error: unknown) => void,
): (...args: A) => void {
  return (...args) => {
    try {
      const result = callback(...args);
      if (result instanceof Promise) result.catch(report);
    } catch (error) {
      report(error);
    }
  };
}
