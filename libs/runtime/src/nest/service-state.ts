/** Phase of a service, which determines its health answers. */
export class ServiceState {
  phase: 'starting' | 'ready' | 'stopping' = 'starting';
  /** Set by the service when its workers run. */
  deafQueues: () => Promise<string[]> = async () => [];

  constructor(
    readonly name: string,
    /** Whether the service becomes ready only when the installation is published. */
    readonly needsInstallation = false,
    /** Whether the service has something to answer while its stores are out. */
    readonly answersWithoutStores = false,
  ) {}
}

/** Injection token of the platform for a service's controllers. */
export const PLATFORM = Symbol('Platform');
export const SERVICE_STATE = Symbol('ServiceState');
