import type { ConsoleClient } from '../client/console-client.js';

const PAGE = '200';

/** The newest runs of the cases that are not decided. */
export async function openRuns(client: ConsoleClient): Promise<{ caseId: string; runId: string }[]> {
  const open: { caseId: string; runId: string }[] = [];
  let cursor: string | null = null;
  do {
    const page = await client.listCases({
      status: 'open',
      limit: PAGE,
      ...(cursor === null ? {} : { cursor }),
    });
    open.push(
      ...page.items.flatMap((item) => (item.run === null ? [] : [{ caseId: item.id, runId: item.run.id }])),
    );
    cursor = page.nextCursor;
  } while (cursor !== null);
  return open;
}
