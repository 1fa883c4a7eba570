/** The same server and rights, another database. Parameters (`?host=/folder`) stay. */
export function onDatabase(databaseUrl: string, name: string): string {
  return databaseUrl.replace(/^(\w+:\/\/[^/?]*)(\/[^?]*)?/, `$1/${name}`);
}
