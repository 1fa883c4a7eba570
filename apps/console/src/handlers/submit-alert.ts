import { InvalidInput, submitQuerySchema, z, type AcceptedAlert } from '@casefile/contracts';
import type { Handler } from '../http/route.js';

/** Intake checks the body itself, so that its answers are those of the ingest service. */
export const submitAlertInput = { query: submitQuerySchema, body: z.unknown() };

/** Takes one alert in, by hand: the same checks, the same case, the same problems as over the ingest service. */
export const submitAlert: Handler<typeof submitAlertInput, AcceptedAlert> = async (
  { intake },
  { query, body },
  { request },
) => {
  const key = request.get('idempotency-key');
  const asked = { again: query.again === 'true', lane: query.lane ?? 'live' };
  if (key === undefined) return intake.accept(body, asked);
  if (key === '' || key.length > 255)
    throw new InvalidInput([{ path: 'Idempotency-Key', message: 'expected 1 to 255 characters' }], 'header');
  return intake.accept(body, { ...asked, idempotencyKey: key });
};
