import { getDocumentProxy } from 'unpdf';
export const x = getDocumentProxy;
