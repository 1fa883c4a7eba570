import type { Clock, Telemetry } from '@casefile/contracts';
import { METRICS } from '@casefile/telemetry';
import type { RequestHandler } from 'express';

/** Methods that are reported under their name. Clients choose the others freely. */
const METHODS = new Set(['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS']);

/**
 * Returns a middleware that measures the time until each request is answered, by the pattern of its route.
 * Requests that reach no route have the route `none`, so that labels stay few.
 */
export function measureRequests(service: string, telemetry: Telemetry, clock: Clock): RequestHandler {
  return (request, response, next) => {
    const started = clock.now();
    response.once('finish', () => {
      const { path } = (request.route ?? {}) as { path?: unknown };
      telemetry.measure(METRICS.httpDuration, (clock.now() - started) / 1000, {
        service,
        method: METHODS.has(request.method) ? request.method : 'other',
        route: typeof path === 'string' ? path : 'none',
        status: String(response.statusCode),
      });
    });
    next();
  };
}
