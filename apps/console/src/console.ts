import type { NestExpressApplication } from '@nestjs/platform-express';
import { SwaggerModule } from '@nestjs/swagger';
import type { Platform, ServiceDefinition } from '@casefile/runtime';
import { frontPages } from './front-pages.js';
import { mountRoutes } from './http/mount-routes.js';
import { refuseForeignPages } from './http/same-origin.js';
import { securityHeaders } from './http/security-headers.js';
import { EventFeed } from './live/event-feed.js';
import { serveSockets } from './live/serve-sockets.js';
import { openApiDocument } from './openapi.js';
import { routes } from './routes.js';

/** The ops API, live updates, the API page and the queue board. */
export const consoleService: ServiceDefinition = { name: 'console', prepare };

async function prepare(app: NestExpressApplication, platform: Platform): Promise<() => Promise<void>> {
  const { store, queue, intake, clock } = platform;
  const log = platform.log.child({ app: 'console' });
  const feed = new EventFeed({ reader: store, clock, log });
  app.use(securityHeaders);
  app.use(refuseForeignPages(log));
  app.use('/api/v1', mountRoutes(routes, { store, queue, intake, feed }, log));
  app.use('/queues', platform.board('/queues'));
  app.use(frontPages());
  SwaggerModule.setup('api/docs', app, openApiDocument(routes), {
    customSiteTitle: 'Casefile API',
    raw: ['json'],
    jsonDocumentUrl: 'api/openapi.json',
  });
  const closeSockets = serveSockets(app.getHttpServer(), feed, log);
  return async () => {
    await feed.close();
    await closeSockets();
  };
}
