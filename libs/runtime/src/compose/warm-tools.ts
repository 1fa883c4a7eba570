import { asCasefileError, type Logger, type ToolBox } from '@casefile/contracts';

/**
 * Loads what the first calls of these tools would wait for, such as an encoder. A failure is only logged: the call of
 * a case tries again.
 */
export async function warmTools(
  names: Iterable<string>,
  tools: Pick<ToolBox, 'named'>,
  log: Logger,
): Promise<void> {
  const { signal } = new AbortController();
  const warm = async (name: string) => {
    try {
      await tools.named(name)?.warm?.(signal);
    } catch (thrown) {
      const { reasonCode: reason, message: error } = asCasefileError(thrown);
      log.warn({ tool: name, reason, error }, 'a tool could not be prepared: its first call may take longer');
    }
  };
  await Promise.all([...new Set(names)].map(warm));
}
