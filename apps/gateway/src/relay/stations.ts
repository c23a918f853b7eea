import type { EndpointFacts, RelayFacts } from '@gateway/database/gateway';
import type { Head } from '../server/head.ts';
import type { Identified } from '../verdict/identify.ts';
import type { Caller } from './caller.ts';

/*
 * What each step of the corridor hands on; each holds its predecessor's. The last, `Recorded`, is of record.ts, which
 * alone can make one.
 */

/** A request that names something, with what the log will want to know of it. */
export interface Accepted {
  readonly caller: Caller;
  readonly head: Head;
  readonly method: string;
  /** First path segment, as written: the endpoint's name. */
  readonly segment: string;
  /** Everything after it: empty, or beginning with `/` or `?`. */
  readonly rest: string;
  readonly sourceAddress: string | null;
  /** When the headers were in, on the clock of `performance.now()`, which nobody sets. */
  readonly begun: number;
}

/** Who calls, known and not revoked, and what is called, active. */
export interface Resolved {
  readonly identified: Identified;
  readonly facts: RelayFacts;
  readonly subject: string;
  readonly endpoint: EndpointFacts;
}

/** Somebody who may call this endpoint. */
export interface Authorized {
  readonly resolved: Resolved;
}
