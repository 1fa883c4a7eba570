import type { Meta } from '@casefile/contracts';
import type { Handler } from '../http/route.js';

export const getMetaInput = {};

/** What is running here. */
export const getMeta: Handler<typeof getMetaInput, Meta> = async ({ meta }) => meta();
