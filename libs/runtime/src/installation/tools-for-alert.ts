import type { AlertInput, InstalledToolServer } from '@casefile/contracts';
import { wireName } from '@casefile/evidence';

/** Returns the wire names of the tools of MCP servers that a case of this kind and alert may use. */
export function toolsForAlert(
  servers: readonly InstalledToolServer[],
  kind: string,
  alert: Pick<AlertInput, 'labels'> | undefined,
): string[] {
  const labels = alert?.labels ?? {};
  return servers
    .filter(({ kinds, forAlerts }) => {
      const fits = Object.entries(forAlerts).every(([label, value]) => labels[label] === value);
      return kinds.includes(kind) && fits;
    })
    .flatMap(({ name, allow }) => allow.map((tool) => wireName(name, tool)));
}
