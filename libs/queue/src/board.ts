import type { Logger } from '@casefile/contracts';
import type { Queue } from 'bullmq';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { openQueue } from './open-queue.js';
import type { BullQueue, QueueStore } from './queue-store.js';

/** An Express (or connect) handler. */
export type HttpHandler = (
  request: IncomingMessage,
  response: ServerResponse,
  next: (error?: unknown) => void,
) => void;

export interface BoardOptions {
  connection: QueueStore;
  queues: readonly string[];
  /** Path where the board is mounted, for example `/queues`. */
  basePath: string;
  /** Disables retrying, removing and adding jobs. */
  readOnly?: boolean;
  /** Receives a line for each change that a user makes on the board. */
  log: Logger;
}

export interface Board {
  /** Handler to mount at `basePath`, behind the guard of the console: the board has no guard. */
  handler: HttpHandler;
  close(): Promise<void>;
}

/** The part of an Express application that renders pages. */
interface Rendering {
  render(name: string, values: object, done: (error: Error | null, html?: string) => void): void;
}

/** The board's page links to external fonts. The console's policy refuses them, so they are removed. */
const FOREIGN_LINK = /<link\b[^<>]*\bhref="https?:[^<>]*>/g;

/**
 * Returns bull-board over our queues, on either store. It is loaded at the first request, because only one
 * service shows it and few users open it.
 */
export function createBoard(options: BoardOptions): Board {
  const { connection, queues, log } = options;
  let open: BullQueue[] = [];
  let router: Promise<HttpHandler> | null = null;
  const load = () => {
    open = queues.map((name) => openQueue(connection, name));
    return routerOver(open, options);
  };
  return {
    handler: (request, response, next) => {
      if (request.method !== 'GET')
        log.info({ method: request.method, path: request.url }, 'queue board action');
      (router ??= load()).then((handle) => handle(request, response, next), next);
    },
    close: async () => void (await Promise.all(open.map((queue) => queue.close()))),
  };
}

async function routerOver(
  open: BullQueue[],
  { connection, basePath, readOnly = false }: BoardOptions,
): Promise<HttpHandler> {
  const [{ createBullBoard }, { BullMQAdapter }, { ExpressAdapter }] = await Promise.all([
    import('@bull-board/api'),
    import('@bull-board/api/bullMQAdapter'),
    import('@bull-board/express'),
  ]);
  const serverAdapter = new ExpressAdapter();
  serverAdapter.setBasePath(basePath);
  const settings = { readOnlyMode: readOnly, allowRetries: !readOnly };
  // The adapter's type requires a queue on Redis, but it works with every backend.
  const adapters = open.map((queue) => new BullMQAdapter(queue as unknown as Queue, settings));
  createBullBoard({
    queues: adapters,
    serverAdapter,
    // BullMQ identifies workers by the names of their connections. On Postgres the workers of a process share
    // one connection, so the board would report that there are no workers.
    options: { uiConfig: { boardTitle: 'Casefile queues', showWorkers: connection.kind === 'redis' } },
  });
  const router = serverAdapter.getRouter() as HttpHandler & Rendering;
  const render = router.render.bind(router);
  router.render = (name, values, done) =>
    render(name, values, (error, html) => done(error, html?.replaceAll(FOREIGN_LINK, '')));
  return router;
}
