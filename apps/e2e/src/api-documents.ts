import { openApiDocument } from '@casefile/console/openapi';
import { kinds } from '@casefile/shipped/loaded';
import { routes } from '@casefile/console/routes/index';
import { intakeDocument, readConfig } from '@casefile/runtime';

/** Returns every API document that `docs/` contains, generated from the services. */
export function apiDocuments(): { file: string; document: Record<string, unknown> }[] {
  const config = readConfig({}, kinds);
  return [
    { file: 'docs/openapi.json', document: openApiDocument(routes, config.kinds) },
    { file: 'docs/openapi-ingest.json', document: intakeDocument(config) },
  ];
}
