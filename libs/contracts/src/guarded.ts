/**
 * Returns the callback in a form that a library may call: `report` receives what it throws, or what its promise rejects with.
 * An error thrown into an event of a library would end the process.
 * @param report Must not throw.
 */
export function guarded<A extends unknown[]>(
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
