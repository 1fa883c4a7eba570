import {
  CasefileError,
  type Installation,
  type Installations,
  type InstallationSource,
} from '@casefile/contracts';
import type { Config } from '../config/read-config.js';
import { describeInstallation } from './describe-installation.js';

/** The installation as this process's own configuration has it: for the service that asks models, and direct commands. */
export function ownInstallation(config: Config): { latest(): Installation } {
  let described: { version: number | undefined; installation: Installation } | null = null;
  return {
    latest: () => {
      const version = config.fileOptions?.version;
      if (described?.version !== version || described === null)
        described = { version, installation: describeInstallation(config) };
      return described.installation;
    },
  };
}

/** The installation that another process has published. `refresh` reads it from the record. */
export class PublishedInstallation implements InstallationSource {
  private installation: Installation | null = null;

  constructor(private readonly installations: Pick<Installations, 'current'>) {}

  latest(): Installation | null {
    return this.installation;
  }

  /** Reads the record. Keeps what was read before if the record has nothing that can be read. @throws if the store does not answer. */
  async refresh(): Promise<void> {
    this.installation = (await this.installations.current()) ?? this.installation;
  }
}

/** Returns the installation. @throws CasefileError `not_ready` (retryable) before one was published. */
export function installationIn(source: InstallationSource): Installation {
  const installation = source.latest();
  if (installation !== null) return installation;
  const message = 'no service that asks models has started on this record yet: start the reasoner';
  throw new CasefileError('not_ready', message, { retryable: true });
}
