import { openApiDocument } from '@casefile/console/openapi';
import { routes } from '@casefile/console/routes/index';
import { intakeDocument, readConfig } from '@casefile/runtime';

/** Every API document that is kept in `docs/`, as the services make it. */
export function apiDocuments(): { file: string; document: Record<string, unknown> }[] {
  const config = readConfig({});
  return [
    { file: 'docs/openapi.json', document: openApiDocument(routes, config.playbooks) },
    { file: 'docs/openapi-ingest.json', document: intakeDocument(config) },
  ];
}
