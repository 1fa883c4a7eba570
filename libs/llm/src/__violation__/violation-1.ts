import { jobIdOf } from '@casefile/queue';
export const x = jobIdOf;
