import { createTools } from '@casefile/evidence';
export const x = createTools;
