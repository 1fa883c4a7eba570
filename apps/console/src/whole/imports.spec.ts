import { IMPORT_LIMITS } from '@casefile/contracts';
import { startConsoleFake } from '../testing/console-fake.js';

it('POST /imports/{kind} refuses a file that is too large while it arrives', async () => {
  const fake = await startConsoleFake();
  try {
    const body = new FormData();
    body.append('file', new Blob([new Uint8Array(IMPORT_LIMITS.fileBytes + 1)]), 'a.pdf');
    const response = await fetch(`${fake.url}/api/v1/imports/policy`, { method: 'POST', body });
    expect([response.status, await response.json()]).toMatchObject([413, { reasonCode: 'too_large' }]);
    expect(fake.imports.size).toBe(0);
  } finally {
    await fake.close();
  }
});
