/** Where a service is in its life; health answers by it. */
export class ServiceState {
  phase: 'starting' | 'ready' | 'stopping' = 'starting';
  /** Set by the service once its workers run. */
  deafQueues: () => Promise<string[]> = async () => [];

  constructor(
    readonly name: string,
    /** Is it not ready before the installation was published? */
    readonly needsInstallation = false,
  ) {}
}

/** What a service's controllers are handed by Nest. */
export const PLATFORM = Symbol('Platform');
export const SERVICE_STATE = Symbol('ServiceState');
