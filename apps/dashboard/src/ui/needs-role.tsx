import type { Role } from '@casefile/contracts';
import { Empty } from './states.js';

/** Takes the place of a page that the role of the reader may not use. */
export function NeedsRole({ what, role }: { what: string; role: Role }) {
  return (
    <Empty title={`${what} needs the role ${role}`}>
      An administrator of Casefile gives roles to groups and keys.
    </Empty>
  );
}
