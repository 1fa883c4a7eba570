import type { IncomingHttpHeaders } from 'node:http';
import type { JsonObject } from '@casefile/contracts';
import { MODEL, OWNER } from './wires/wire.js';

/** The one model, as each provider's list has it; Anthropic's is known by its header. */
export function modelsFor(path: string, headers: IncomingHttpHeaders): JsonObject {
  if (path !== '/v1/models')
    return { models: [{ name: `models/${MODEL}`, displayName: OWNER, supportedGenerationMethods: METHODS }] };
  if (headers['anthropic-version'] === undefined)
    return { object: 'list', data: [{ id: MODEL, object: 'model', created: 0, owned_by: OWNER }] };
  const model = { type: 'model', id: MODEL, display_name: OWNER, created_at: '1970-01-01T00:00:00Z' };
  return { data: [model], has_more: false, first_id: MODEL, last_id: MODEL };
}

const METHODS = ['generateContent', 'streamGenerateContent'];
