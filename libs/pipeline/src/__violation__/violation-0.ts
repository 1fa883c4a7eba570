import { createPostgresStore } from '@casefile/store';
export const x = createPostgresStore;
