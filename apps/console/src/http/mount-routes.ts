import { Router, type NextFunction, type Request, type Response } from 'express';
import type { Logger } from '@casefile/contracts';
import { answerProblem, wrongMethod } from '@casefile/runtime';
import type { ConsolePorts } from '../console-ports.js';
import { readInput } from './read-input.js';
import type { Route } from './route.js';

/** The routes of a table as an Express router. */
export function mountRoutes(routes: readonly Route[], ports: ConsolePorts, log: Logger): Router {
  const router = Router();
  // What is on the record is for who asked now; an image says otherwise for itself.
  router.use((_request, response, next) => {
    response.setHeader('Cache-Control', 'no-store');
    next();
  });
  for (const route of routes) router[route.method](expressPath(route.path), serve(route, ports));
  // Express answers OPTIONS by itself, and HEAD as it answers GET.
  router.use(({ method, path }, _response, next) =>
    next((method === 'OPTIONS' ? null : wrongMethod(router, method, path)) ?? undefined),
  );
  router.use((error: unknown, _request: Request, response: Response, _next: NextFunction) =>
    answerProblem(response, error, log),
  );
  return router;
}

// Express 5 hands a rejected promise on to the error handler.
function serve(route: Route, ports: ConsolePorts) {
  return async (request: Request, response: Response): Promise<void> => {
    const input = readInput(route.input, {
      params: request.params,
      query: request.query,
      body: request.body as unknown,
    });
    const answer = await route.handler(ports, input, { request, response });
    if (typeof route.response !== 'string') response.status(route.status).json(answer);
  };
}

function expressPath(path: string): string {
  return path.replaceAll(/\{(\w+)\}/g, ':$1');
}
