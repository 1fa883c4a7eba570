import type { ToolServerList } from '@casefile/contracts';
import { useQuery } from '@tanstack/react-query';
import { getJson } from './request.js';

export const TOOLS_KEY = ['tools'];
/** The state of a server changes without an event, so the page polls. */
const EVERY_MS = 5_000;

/** Reads the MCP servers with their tools. */
export function useTools() {
  return useQuery({
    queryKey: TOOLS_KEY,
    queryFn: ({ signal }) => getJson<ToolServerList>('/tools', signal),
    refetchInterval: EVERY_MS,
  });
}
