import { submitQuerySchema, z, type AcceptedAlert } from '@casefile/contracts';
import { acceptOptionsOf } from '@casefile/runtime';
import type { Handler } from '../http/route.js';

/** Intake checks the body itself, so that its answers are those of the ingest service. */
export const submitAlertInput = { query: submitQuerySchema, body: z.unknown() };

/** Takes one alert in, by hand: the same checks, the same case, the same problems as over the ingest service. */
export const submitAlert: Handler<typeof submitAlertInput, AcceptedAlert> = async (
  { intake },
  { query, body },
  { request },
) => intake.accept(body, acceptOptionsOf(query, request.get('idempotency-key')));
