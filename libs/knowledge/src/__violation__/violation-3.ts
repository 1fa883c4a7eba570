import { ask } from '@casefile/pipeline';
export const x = ask;
