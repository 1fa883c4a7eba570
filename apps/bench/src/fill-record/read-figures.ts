import { silentLogger } from '@casefile/contracts';
import { createPostgresStore } from '@casefile/store';

const PAGE = 20_000;
/** Share of the verdicts that are drawn for a person, as shipped. */
const SAMPLE_SHARE = 0.02;

/** Does what the sweeper does over months with each event of a filled record: figures, audit log. */
export async function readFigures(databaseUrl: string): Promise<void> {
  const store = createPostgresStore({ databaseUrl, poolSize: 3, log: silentLogger });
  try {
    while ((await store.qualityFigures.note(PAGE, SAMPLE_SHARE)) === PAGE);
    while ((await store.audit.append(PAGE)) === PAGE);
  } finally {
    await store.close();
  }
}
