import { approveToolsSchema, CasefileError, z, type ApprovedTools } from '@casefile/contracts';
import type { Handler } from '../http/route.js';

export const approveToolsInput = {
  params: z.object({ server: z.string().min(1).max(100) }),
  body: approveToolsSchema,
};

/**
 * Approves entries of a server's tool list as they were shown; each is told in the event log. S2-42.
 * @throws CasefileError `not_found` if the installation has no such server.
 */
export const approveTools: Handler<typeof approveToolsInput, ApprovedTools> = async (
  { store, toolServers },
  { params, body },
) => {
  if (!toolServers().some(({ name }) => name === params.server))
    throw new CasefileError('not_found', 'the configuration has no server of tools of this name');
  const { tools, by = 'console' } = body;
  const approved: string[] = [];
  const refused: string[] = [];
  for (const { tool, hash } of tools) {
    const done = await store.toolPins.approve(params.server, tool, hash, by);
    (done === null ? refused : approved).push(tool);
  }
  return { approved, refused };
};
