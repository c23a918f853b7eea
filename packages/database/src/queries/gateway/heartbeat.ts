import { randomInt } from 'node:crypto';
import type { Sql } from '../../client/connect.ts';
import type { Link } from '../../client/link.ts';

/** First half of the advisory lock; the second half is the gateway's number. */
const LIFE = 727_005;

/** Seconds without a statement after which a gateway with open connections counts as dead: it is frozen. */
const SILENCE_SECONDS = 5;

/** Settings of a gateway's connections: a host that disappears silently loses them, and their locks, within ten seconds. */
export const SHORT_SILENCE = {
  tcp_keepalives_idle: 4,
  tcp_keepalives_interval: 2,
  tcp_keepalives_count: 3,
  tcp_user_timeout: 10_000, // keepalives do not work while an answer is not acknowledged
};

/** This gateway among those that run commands: any number, which no other one has by any likelihood. */
export const newGatewayNumber = (): number => randomInt(1, 2 ** 31);

/**
 * A link whose connections each take the gateway's lock before any statement. The lock is shared, so that connections of one
 * gateway never wait for each other; no session takes it exclusively.
 */
export function withHeartbeat(link: Link, gateway: number): Link {
  let holder: number | null = null;
  return {
    cut: () => link.cut(),
    run: (deadline, work) =>
      link.run(deadline, async (sql: Sql, connection) => {
        if (connection !== holder) {
          await sql`select pg_advisory_lock_shared(${LIFE}, ${gateway})`;
          holder = connection;
        }
        return work(sql, connection);
      }),
  };
}

/**
 * SQL: whether a gateway is alive. One of its connections has the lock and was used recently, because a gateway polls while it
 * runs commands. Another role's activity may be hidden; then only the lock decides.
 * @param gateway SQL of its number
 */
export const isAlive = (gateway: string): string => `exists (
  select from pg_locks life left join pg_stat_activity activity on activity.pid = life.pid
  where life.locktype = 'advisory' and life.granted and life.classid = ${LIFE} and life.objid::bigint = ${gateway}
    and life.objsubid = 2 and life.database = (select oid from pg_database where datname = current_database())
    and coalesce(activity.state_change > clock_timestamp() - interval '${SILENCE_SECONDS} seconds', true)
)`;
