import type { Credential, Refusal, RefusalCode } from '@gateway/contract';
import type { Caller, Subject } from '../http/caller.ts';
import { isSurface } from '../http/pages.ts';
import { LONGEST_RETURN_LOCATION } from './longest-return-location.ts';

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

/** A cookie of this console: HttpOnly, SameSite=Lax, and over TLS alone where the console is served over TLS. */
export interface CookieJar {
  read(request: Request): string | undefined;
  /** The header line that sets it. */
  set(value: string, seconds: number): string;
  /** The header line that takes it away. */
  clear(): string;
}

/**
 * @param secure whether the console is served over TLS; the name then binds the cookie to this very host (`__Host-`), so that no
 *   neighbouring host can plant one
 */
export function cookieJar(purpose: string, secure: boolean): CookieJar {
  const name = nameOf(purpose, secure);
  const attributes = `Path=/; HttpOnly; SameSite=Lax${secure ? '; Secure' : ''}`;
  return {
    read(request) {
      const found = pairsOf(request).filter((pair) => pair.startsWith(`${name}=`));
      // Two of one name: somebody planted one, and nothing shows which.
      return found.length === 1 ? found[0]?.slice(name.length + 1) : undefined;
    },
    set: (value, seconds) => `${name}=${value}; Max-Age=${seconds}; ${attributes}`,
    clear: () => `${name}=; Max-Age=0; ${attributes}`,
  };
}

/** The request's cookies of this console whose purpose begins in this way, the oldest first (RFC 6265, section 5.4). */
export function cookiesOf(
  request: Request,
  begin: string,
  secure: boolean,
): readonly { readonly purpose: string; readonly bytes: number }[] {
  const name = nameOf(begin, secure);
  return pairsOf(request).flatMap((pair) => {
    const [given = ''] = pair.split('=', 1);
    return given.startsWith(name) ? { purpose: begin + given.slice(name.length), bytes: pair.length } : [];
  });
}

function pairsOf(request: Request): readonly string[] {
  return (request.headers.get('cookie') ?? '').split(';').map((pair) => pair.trim());
}

function nameOf(purpose: string, secure: boolean): string {
  return `${secure ? '__Host-' : ''}gateway-console-${purpose}`;
}

/** A surface of this console, and a fragment (RFC 3986, section 3.5); nothing else. */
const RETURN_LOCATION = /^(\/[a-z]*)(#(?:[\w\-.~!$&'()*+,;=:@/?]|%[0-9A-Fa-f]{2})*)?$/;

/** A location in this console to return to after sign-in: a surface, and a fragment of its address. */
export interface ReturnLocation {
  readonly surface: string;
  /** With its `#`; empty where there is none. */
  readonly fragment: string;
}

/**
 * Parses a return location. Null for everything outside this console: the result becomes a `location` header, which must never
 * point to another host.
 */
export function returnLocationOf(text: string | null): ReturnLocation | null {
  if (text === null || text.length > LONGEST_RETURN_LOCATION) return null;
  const [, surface = '', fragment = ''] = RETURN_LOCATION.exec(text) ?? [];
  return isSurface(surface) ? { surface, fragment } : null;
}
