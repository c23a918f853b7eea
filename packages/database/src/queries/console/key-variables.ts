import type { Queryable } from '../../client/connect.ts';

/** What a gateway reports of the variables for keys: names, never values. */
export interface KeyVariableReport {
  /** Host name and port. */
  readonly gateway: string;
  readonly reportedAt: Date;
  /** Not repeated for five minutes: the gateway has stopped, or does not reach the database. */
  readonly isOld: boolean;
  readonly present: readonly string[];
  readonly absent: readonly string[];
}

/** The report of each gateway of the last day, the newest first. */
export async function listKeyVariableReports(sql: Queryable): Promise<readonly KeyVariableReport[]> {
  return sql<KeyVariableReport[]>`
    select gateway, reported_at as "reportedAt", reported_at < now() - interval '5 minutes' as "isOld", present, absent
    from reported_key_variables where reported_at > now() - interval '1 day' order by reported_at desc, gateway limit 200`;
}
