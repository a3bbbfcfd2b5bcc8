// A process that owns an embedded PostgreSQL, for tests that kill it. Tells its parent how to connect.
import { startEmbeddedPostgres } from '../../../src/db/embedded/embedded-postgres.ts';
import { silentLog } from '../../harness/silent-log.ts';

const [directory = '', temporary] = process.argv.slice(2);
const server = await startEmbeddedPostgres({ directory, log: silentLog, temporary: temporary === 'temporary' });
process.send?.({ port: server.port, password: server.password.reveal(), pid: server.pid() });
setInterval(() => {}, 1 << 30);
