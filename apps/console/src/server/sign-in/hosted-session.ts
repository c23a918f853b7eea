import { createHash, randomBytes } from 'node:crypto';
import { SHARED_PAIR_AUTHOR } from '@gateway/contract';
import type { Sql } from '@gateway/database';
import {
  type CallerFacts,
  closeSession,
  isPairSession,
  openSession,
  readKeySessionCaller,
} from '@gateway/database/console';
import type { Caller } from '../caller/caller.ts';
import { cookieJar } from './cookies.ts';

/** How long a session lasts at most. Its rights are read again for every request. */
const SESSION_SECONDS = 8 * 3600;

/** Sessions of the hosted console: a browser has a random secret, the database a digest of it. */
export interface HostedSessions {
  /** @returns the header line of the cookie */
  open(request: Request, caller: Caller): Promise<string>;
  /** What a session belongs to: the pair, the owner of the key, or nobody. */
  read(request: Request): Promise<'pair' | CallerFacts | null>;
  /** @returns the header line that takes the cookie away */
  close(request: Request): Promise<string>;
}

/**
 * @param pair digest of the shared pair: a session of the pair ends with its password
 * @param secure whether browsers reach the console over TLS
 */
export function createHostedSessions(database: Sql, pair: Buffer, secure: boolean): HostedSessions {
  const cookie = cookieJar('session', secure);
  const digestOf = (secret: string): Buffer => createHash('sha256').update(secret).digest();
  const pairDigestOf = (secret: string): Buffer => createHash('sha256').update(secret).update(pair).digest();
  const secretOf = (request: Request): string | null => {
    const secret = cookie.read(request);
    return secret !== undefined && /^[\w-]{43}$/.test(secret) ? secret : null;
  };
  return {
    async open(request, caller) {
      const secret = randomBytes(32).toString('base64url');
      const before = secretOf(request);
      if (before !== null) await closeSession(database, pairDigestOf(before));
      await openSession(database, {
        digest: caller.kind === 'shared-pair' ? pairDigestOf(secret) : digestOf(secret),
        subject: caller.kind === 'shared-pair' ? SHARED_PAIR_AUTHOR : caller.subject,
        kind: caller.kind === 'shared-pair' ? 'pair' : 'key',
        keyId: caller.kind === 'shared-pair' ? null : caller.keyId,
        lifetimeSeconds: SESSION_SECONDS,
        replaces: before === null ? null : digestOf(before),
      });
      return cookie.set(secret, SESSION_SECONDS);
    },
    async read(request) {
      const secret = secretOf(request);
      if (secret === null) return null;
      const facts = await readKeySessionCaller(database, digestOf(secret));
      if (facts !== undefined) return facts;
      return (await isPairSession(database, pairDigestOf(secret))) ? 'pair' : null;
    },
    async close(request) {
      const secret = secretOf(request);
      if (secret !== null) {
        await closeSession(database, digestOf(secret));
        await closeSession(database, pairDigestOf(secret));
      }
      return cookie.clear();
    },
  };
}
