export { downloaded, installed } from './apt-get.js';
export { freePort } from './free-port.js';
export {
  startPostgres,
  startPostgresWithStandby,
  type PostgresServer,
  type PostgresWithStandby,
} from './postgres-server.js';
export { startRedis, type RedisOptions, type RedisServer } from './redis-server.js';
export { chooseRunAs } from '../run-as.js';
