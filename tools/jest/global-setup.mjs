// Starts what tests share: see libs/embedded/src/testing. Suites that need no server do not notice.
export default async function setup() {}
