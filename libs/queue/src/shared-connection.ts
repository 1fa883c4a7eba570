import { PostgresConnection, type PgPool } from 'bullmq';
import { EventEmitter } from 'node:events';

type ListenClient = Awaited<ReturnType<PostgresConnection['getListenClient']>>;

/**
 * A Postgres connection whose listening client serves every worker of the process. Each worker says
 * LISTEN on it, some at the same moment, and waits on it: so its statements go one after the other,
 * and it may have any number of listeners.
 */
export class SharedConnection extends PostgresConnection {
  private readonly shared = new WeakMap<ListenClient, ListenClient>();

  constructor(pool: PgPool) {
    super(pool);
    // Every queue and worker of the process listens to its events.
    this.setMaxListeners(0);
  }

  override async getListenClient(): Promise<ListenClient> {
    const client = await super.getListenClient();
    const known = this.shared.get(client);
    if (known !== undefined) return known;
    if (client instanceof EventEmitter) client.setMaxListeners(0);
    const made = oneByOne(client);
    this.shared.set(client, made);
    return made;
  }
}

function oneByOne(client: ListenClient): ListenClient {
  let last: Promise<unknown> = Promise.resolve();
  const shared: ListenClient = {
    connection: client.connection,
    query<R>(text: string, params?: readonly unknown[]) {
      const next = last.then(() => client.query<R>(text, params));
      // A failure is for whoever asked; the next statement does not care.
      last = next.catch(() => undefined);
      return next;
    },
    on(event: 'notification' | 'error' | 'end', listener: (...args: never[]) => void) {
      client.on(event as 'end', listener as () => void);
      return shared;
    },
    removeListener(event: 'notification', listener) {
      client.removeListener(event, listener);
      return shared;
    },
    removeAllListeners(event) {
      client.removeAllListeners(event);
      return shared;
    },
  };
  return shared;
}
