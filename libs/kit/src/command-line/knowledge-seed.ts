/** A file's text, and the name used to report its lines. */
interface TextFile {
  name: string;
  text: string;
}

/** Initial content of the knowledge bases; parts left out are not changed. */
export interface KnowledgeSeed {
  scamReports?: TextFile;
  scamPatterns?: TextFile;
  policies?: readonly { policyId: string; path: string }[];
  runbooks?: readonly { name: string; bytes: Uint8Array; source: string; address: string | null }[];
}
