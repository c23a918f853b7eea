import type { Credential, Refusal, RefusalCode } from '@gateway/contract';
import type { Caller, Subject } from '../http/caller.ts';

/** Why nobody enters. */
export interface Unidentified {
  /** What the caller sees. */
  readonly refused: Refusal;
  /** What the decision log records. */
  readonly reason: RefusalCode;
  /** The subject of the proof, if it has one. */
  readonly subject?: Subject;
  /** How the proof was presented, where it names nobody. */
  readonly credential?: Credential;
}

/** The caller, or why it is refused. */
export type Identification = { readonly caller: Caller } | Unidentified;

/** What a person typed into the form. */
export interface Typed {
  /** Null if nothing usable was sent. */
  readonly proof: Request | null;
  /** Kept in its field after a refusal. */
  readonly user: string;
  readonly returnTo: string;
}

/** A page on which a name and a password are typed, and the session that follows. */
export interface SignInForm {
  readonly path: string;
  /** What was typed, with the credentials as a request with the same proof for the gate. */
  read(request: Request): Promise<Typed>;
  /** @param fault why the last try failed; null for the first one */
  page(request: Request, typed: Omit<Typed, 'proof'>, fault: Refusal | null): Response;
  /** Opens a session and redirects to the location. */
  enter(request: Request, caller: Caller, returnTo: string): Promise<Response>;
}

/** One way into the console. A profile has exactly one (console-3, console-5). */
export interface SignIn {
  /** Identifies the caller, again for every request: nothing is cached between two of them. */
  identify(request: Request): Promise<Identification>;
  /** The origin that people come back to after signing in elsewhere; absent where they sign in here. */
  readonly origin?: string;
  /** Where a browser without a session is redirected when it opens a page; absent if there is no sign-in page. */
  readonly signInAddress?: string;
  /** Where a session ends; absent where there is none to end. */
  readonly signOutAddress?: string;
  /** The form by which people sign in here; absent where they sign in elsewhere. */
  readonly form?: SignInForm;
  /** Handles the addresses below `/auth/`, which need no authentication; absent if there are none. */
  readonly answerAuth?: (request: Request) => Promise<Response | undefined>;
}
