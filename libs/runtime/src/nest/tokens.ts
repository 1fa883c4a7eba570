/** What a service's controllers are handed by Nest. */
export const PLATFORM = Symbol('Platform');
export const SERVICE_STATE = Symbol('ServiceState');
