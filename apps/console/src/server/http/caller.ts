import { isIPv6 } from 'node:net';
import { groupsOf } from '@gateway/access';
import type { Revision } from '@gateway/contract';
import { isAccountKey, type Role, SHARED_PAIR_AUTHOR } from '@gateway/contract';

/** A role assignment: a project role names its project (roles-13). */
export interface HeldRole {
  readonly role: Role;
  readonly project: string | null;
}

/** The shared pair of the hosted profile: it opens everything, names no subject and carries no role (console-5). */
export interface SharedPair {
  readonly kind: 'shared-pair';
}

/** An identified subject, with the rights read for this request. */
export interface Subject {
  readonly kind: 'subject';
  readonly subject: string;
  readonly credential: 'key' | 'token';
  readonly keyId: string | null;
  readonly roles: readonly HeldRole[];
  /** The authorization policy in force; null where none narrows the matrix. */
  readonly policy: Revision | null;
}

export type Caller = SharedPair | Subject;

export function authorOf(caller: Caller): string {
  return caller.kind === 'shared-pair' ? SHARED_PAIR_AUTHOR : caller.subject;
}

/** The proof of identity that a request carries. */
type Proof =
  | { readonly kind: 'pair'; readonly user: string; readonly password: string }
  | { readonly kind: 'key'; readonly key: string }
  | { readonly kind: 'unusable' }
  | null;

function decodePair(text: string): Proof {
  const pair = Buffer.from(text, 'base64').toString('utf8');
  // A subject may contain colons. An account key contains none, and cannot be taken for a part of one.
  const last = pair.lastIndexOf(':');
  const colon = isAccountKey(pair.slice(last + 1)) ? last : pair.indexOf(':');
  if (colon < 0) return { kind: 'unusable' };
  return { kind: 'pair', user: pair.slice(0, colon), password: pair.slice(colon + 1) };
}

/**
 * Reads `Authorization` (Basic or Bearer), else `x-api-key`. An empty header counts as absent; where both carry something,
 * `Authorization` counts (relay-8).
 */
export function readProof(headers: Headers): Proof {
  const authorization = headers.get('authorization')?.trim() ?? '';
  const [, scheme = '', value = ''] = /^(\S+)\s*(.*)$/.exec(authorization) ?? [];
  if (/^bearer$/i.test(scheme) && value !== '') return { kind: 'key', key: value };
  if (/^basic$/i.test(scheme) && value !== '') return decodePair(value);
  const key = headers.get('x-api-key')?.trim() ?? '';
  if (key !== '') return { kind: 'key', key };
  return authorization === '' || /^(bearer|basic)$/i.test(authorization) ? null : { kind: 'unusable' };
}

/** Failed sign-ins of one address that cost no wait. */
const FREE_FAILURES = 10;
/** The wait after the last of them; each further failure doubles it. */
const FIRST_WAIT_MS = 30_000;
const LONGEST_WAIT_MS = 15 * 60_000;
/** An address without a failure for this long starts again. */
const FORGOTTEN_AFTER_MS = 15 * 60_000;
/** Addresses remembered; the one whose last failure is oldest is evicted first. */
const MOST_ADDRESSES = 10_000;

interface Failures {
  count: number;
  blockedUntil: number;
  last: number;
}

/** Delays callers that guess proofs of identity, by source address (console-8). */
export class SignInThrottle {
  readonly #clock: () => number;
  readonly #known = new Map<string, Failures>();

  /** @param clock milliseconds */
  constructor(clock: () => number) {
    this.#clock = clock;
  }

  /** Whole seconds an address has to wait, also with a good proof; 0 where it need not. */
  secondsToWait(address: string | null): number {
    const left = (this.#known.get(networkOf(address))?.blockedUntil ?? 0) - this.#clock();
    return left > 0 ? Math.ceil(left / 1000) : 0;
  }

  /** Counts a proof that was refused. One that was under way when the wait began does not prolong it. */
  failed(address: string | null): void {
    const network = networkOf(address);
    const now = this.#clock();
    const before = this.#known.get(network);
    if (before !== undefined && before.blockedUntil > now) return;
    const isFresh = before === undefined || now - Math.max(before.last, before.blockedUntil) > FORGOTTEN_AFTER_MS;
    const count = isFresh ? 1 : before.count + 1;
    const wait = Math.min(LONGEST_WAIT_MS, FIRST_WAIT_MS * 2 ** (count - FREE_FAILURES));
    this.#known.delete(network);
    this.#known.set(network, { count, last: now, blockedUntil: count < FREE_FAILURES ? 0 : now + wait });
    const [oldest] = this.#known.keys();
    if (this.#known.size > MOST_ADDRESSES && oldest !== undefined) this.#known.delete(oldest);
  }
}

/** The addresses of one guesser: an IPv4 address, or the /64 network of an IPv6 address. */
function networkOf(address: string | null): string {
  if (address === null || !isIPv6(address)) return address ?? '';
  return groupsOf(address).slice(0, 4).join(':');
}
