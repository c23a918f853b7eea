import type { EndpointFacts, RelayFacts } from '@gateway/database/gateway';
import type { Identified } from '../../auth/identify.ts';
import type { Head } from '../../http/head.ts';
import type { Caller } from '../call/caller.ts';
import type { RequestBody } from '../request/intake.ts';

/*
 * What each step of the pipeline hands on; each holds its predecessor's. The last, `Recorded`, is of record.ts, which
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

/** One of the forms in which a body may leave. */
export interface Form {
  readonly body: RequestBody;
  /** It leaves without the coding that it came in. */
  readonly isDecoded: boolean;
}

/** A body that may leave, and what the record has to say of it. */
export interface Inspected {
  /** The first one that is a JSON object leaves; where none is, the last one. */
  readonly forms: readonly [Form, ...Form[]];
  readonly detail: string | null;
  /** The codings it came in, where it may leave in them; null where it has none. */
  readonly codings: string | null;
  /** The body is too long to be held: it is looked into while it leaves. */
  readonly leaving?: boolean;
}
