// Stops the servers that global-setup.mjs started. end-run.mjs removes the rest.
export default async function teardown() {
  await Promise.all((globalThis.casefileTestServers ?? []).map((server) => server.stop()));
}
