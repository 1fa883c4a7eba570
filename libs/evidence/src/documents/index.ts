export {
  DOCUMENT_EXTENSIONS,
  parseDocument,
  sourceDigestOf,
  type DocumentFile,
  type ParsedDocument,
  type ParseOptions,
} from './parse-document.js';
