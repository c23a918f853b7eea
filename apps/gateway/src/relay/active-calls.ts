import { type Refusal, type RefusalCode, refusal } from '@gateway/contract';
import { type Standings, type StandingsReader, sessionKey } from '@gateway/domain/session/gateway';
import { PackedSet, type Slotted } from '../process/packed-set.ts';
import type { Recorded } from './steps/record.ts';

/** A call that was let in and whose answer has not ended. */
export interface ActiveCall extends Slotted {
  readonly subject: string;
  readonly session: string | null;
  /** Of the account; null for a federated identity. */
  readonly keyId: string | null;
  /** Whether the registry had its account when the call was permitted. */
  readonly registered: boolean;
  /** Ends it: it would be refused for this now. */
  revoke(code: RefusalCode): void;
}

/** @param record takes a refusal into the log. */
export function activeCall(recorded: Recorded, record: (refused: Refusal) => unknown): ActiveCall {
  const { accepted, resolved, decisionId } = recorded;
  const { account } = resolved.facts;
  return {
    slot: -1,
    subject: resolved.subject,
    session: accepted.head.session,
    keyId: account?.key?.id ?? null,
    registered: account !== null,
    revoke(code) {
      const refused = refusal(code, { details: { detail: `ended the running answer of decision ${decisionId}` } });
      record(refused);
      accepted.caller.revoke(refused);
    },
  };
}

export interface ActiveCallsOptions {
  readonly standings: Pick<StandingsReader, 'read'>;
  /** Milliseconds between two queries: a call ends within a second of its revocation. Default 300. */
  readonly period?: number;
}

/**
 * Ends running answers whose caller would be refused now: the gateway that serves them queries the database repeatedly, on its
 * own connection, while calls run. A silent database ends nothing.
 */
export class ActiveCalls {
  readonly #standings: Pick<StandingsReader, 'read'>;
  readonly #period: number;
  readonly #calls = new PackedSet<ActiveCall>();
  #timer: NodeJS.Timeout | null = null;

  constructor({ standings, period = 300 }: ActiveCallsOptions) {
    this.#standings = standings;
    this.#period = period;
  }

  /** Answers that have not ended. */
  get size(): number {
    return this.#calls.size;
  }

  /** @returns what to do once the answer has ended. */
  add(call: ActiveCall): () => void {
    this.#calls.add(call);
    this.#timer ??= setTimeout(this.#round, this.#period).unref();
    return () => this.#calls.delete(call);
  }

  close(): void {
    if (this.#timer !== null) clearTimeout(this.#timer);
    this.#calls.clear();
  }

  readonly #round = (): void => {
    const again = (): void => {
      this.#timer = this.#calls.size === 0 ? null : setTimeout(this.#round, this.#period).unref();
    };
    // Most calls have ended by now, and cost only their entry in the set.
    this.#look().then(again, again);
  };

  async #look(): Promise<void> {
    const calls = this.#calls.all();
    if (calls.length === 0) return;
    const inSessions = calls.flatMap(({ subject, session }) => (session === null ? [] : [{ subject, session }]));
    const standings = await this.#standings.read({
      sessions: [...new Map(inSessions.map((owned) => [sessionKey(owned), owned])).values()],
      subjects: [...new Set(calls.map(({ subject }) => subject))],
      registered: [...new Set(calls.filter(({ registered }) => registered).map(({ subject }) => subject))],
      keys: [...new Set(calls.flatMap(({ keyId }) => (keyId === null ? [] : [keyId])))],
      commands: [],
    });
    for (const call of calls) {
      const code = findRefusal(call, standings);
      if (code !== null && this.#calls.delete(call)) call.revoke(code);
    }
  }
}

/** Why a call would be refused now, in the order in which a new one is. */
function findRefusal({ subject, session, keyId }: ActiveCall, standings: Standings): RefusalCode | null {
  if (keyId !== null && standings.revokedKeys.has(keyId)) return 'key-revoked';
  if (standings.disabledSubjects.has(subject)) return 'account-disabled';
  if (standings.revokedSubjects.has(subject)) return 'subject-revoked';
  return session !== null && standings.revokedSessions.has(sessionKey({ subject, session })) ? 'session-revoked' : null;
}
