import type { Credential, Refusal, RefusalCode } from '@gateway/contract';
import type { Caller, Subject } from './caller.ts';

/** Why nobody enters. */
export interface Unidentified {
  /** What the caller is told. */
  readonly refused: Refusal;
  /** What the decision log is told. */
  readonly reason: RefusalCode;
  /** Whom the proof names, where it names somebody. */
  readonly subject?: Subject;
  /** As what the proof was shown, where it names nobody. */
  readonly credential?: Credential;
}

/** Who calls, or why nobody enters. */
export type Identification = { readonly caller: Caller } | Unidentified;

/** One way into the console. A profile has exactly one (specification, Authentication 6). */
export interface SignIn {
  /** Reads who calls, anew for every request: nothing is remembered between two of them. */
  identify(request: Request): Promise<Identification>;
  /** Where a browser that opens a page without being signed in is sent; absent where there is no such place. */
  readonly signInAddress?: string;
  /** Where a session ends; absent where there is none to end. */
  readonly signOutAddress?: string;
  /** Answers the addresses below `/auth/`, which lie before authentication; absent where there are none. */
  readonly answerAuth?: (request: Request) => Promise<Response | undefined>;
}
