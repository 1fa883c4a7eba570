/** Returns the environment of a child process: this process's, with these variables added. */
export function childEnvironment(extra: Record<string, string>): Record<string, string | undefined> {
  return { ...process.env, ...extra };
}
