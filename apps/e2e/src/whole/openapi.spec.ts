import { apiDocuments } from '../api-documents.js';
import { unannouncedChanges, type ApiDocument } from '../testing/api-changes.js';
import { committedVersions } from '../testing/committed-versions.js';

/** Commits looked back on for earlier versions of a document. */
const MOST_COMMITS = 200;

it.each(apiDocuments())('$file has additions only against every version that was committed', (one) => {
  const now = JSON.parse(JSON.stringify(one.document)) as ApiDocument;
  for (const before of committedVersions(one.file, MOST_COMMITS))
    expect(unannouncedChanges(before, now)).toEqual([]);
});
