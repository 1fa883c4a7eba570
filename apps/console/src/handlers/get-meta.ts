import type { Handler } from '../http/route.js';

export const getMetaInput = {};

/** What is running here. */
export const getMeta: Handler<typeof getMetaInput> = async ({ meta }) => meta;
