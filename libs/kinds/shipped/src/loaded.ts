import { shippedKinds } from './index.js';

/** The shipped kinds, loaded with this module, for tests and tools. */
export const kinds = await shippedKinds();
export const playbooks = kinds.map(({ playbook }) => playbook);
