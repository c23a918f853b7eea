import type { EndpointFacts, RelayFacts } from '@gateway/domain/call/facts';
import type { Identified } from '../../auth/identify.ts';
import type { Head } from '../../http/head.ts';
import type { Caller } from '../request/caller.ts';
import type { RequestBody } from '../request/intake.ts';

/* The results of the pipeline's steps; each contains the previous one. Only record.ts can make the last, `Recorded`. */

/** A request to an endpoint, with its data for the log. */
export interface Accepted {
  readonly caller: Caller;
  readonly head: Head;
  readonly method: string;
  /** First path segment, as written: the endpoint's name. */
  readonly segment: string;
  /** Everything after it: empty, or beginning with `/` or `?`. */
  readonly rest: string;
  readonly sourceAddress: string | null;
  /** When the headers were complete, on the clock of `performance.now()`, which is never set. */
  readonly begun: number;
}

/** The caller, known and not revoked, and the called endpoint, active. */
export interface Resolved {
  readonly identified: Identified;
  readonly facts: RelayFacts;
  readonly subject: string;
  readonly endpoint: EndpointFacts;
}

/** A subject that may call this endpoint. */
export interface Authorized {
  readonly resolved: Resolved;
}

/** One of the forms in which a body may leave. */
export interface Form {
  readonly body: RequestBody;
  /** It leaves without its original coding. */
  readonly isDecoded: boolean;
}

/** A body that may leave, and its data for the record. */
export interface Inspected {
  /** The first one that is a JSON object leaves; without one, the last. */
  readonly forms: readonly [Form, ...Form[]];
  readonly detail: string | null;
  /** Its codings, where it may leave in them; null without any. */
  readonly codings: string | null;
  /** The body is too long to buffer: it is scanned during sending. */
  readonly leaving?: boolean;
}
