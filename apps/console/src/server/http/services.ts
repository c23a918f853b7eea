import { type CompiledPolicySet, compilePolicySet } from '@gateway/access';
import type { Decision, Revision } from '@gateway/contract';
import type { Queryable, Sql } from '@gateway/database';
import type { DecisionLog } from '@gateway/database/audit-log/decision-log';
import { readPolicyText } from '@gateway/domain/policy/console';
import type { Signer } from '@gateway/ledger';
import type { Assets } from './assets.ts';

/** Dependencies of the routes. Only `start.ts` knows how each is made. */
export interface Services {
  readonly database: Sql;
  /** Connections of their own for files that are sent for as long as their reader takes. */
  readonly exports: Sql;
  readonly decisions: DecisionLog;
  /** Takes the refusals of proofs that name nobody. */
  readonly guesses: GuessLog;
  /** Signs acts of administration and checkpoints. */
  readonly signer: Signer;
  /** GATEWAY_LOG_ORIGIN; null: the identifier of the installation. */
  readonly logOrigin: string | null;
  readonly assets: Assets;
  readonly policies: PolicyRevisions;
  /** Where callers reach the gateway, as the operator says; null where nobody did. */
  readonly gatewayUrl: string | null;
  /** The person or address that grants roles; null where the operator names none. */
  readonly contact: string | null;
}

/**
 * The compiled form of revisions. The revision in force is read again for every request; only its compiled form is cached
 * (roles-18).
 */
interface PolicyRevisions {
  /**
   * @param revision in force; null where none narrows the matrix
   * @throws where the text in force cannot be used, which refuses the request
   */
  compiled(sql: Queryable, revision: Revision | null): Promise<CompiledPolicySet | null>;
}

export function createPolicyRevisions(): PolicyRevisions {
  let kept: { readonly revision: Revision; readonly policies: CompiledPolicySet } | undefined;
  return {
    async compiled(sql, revision) {
      if (revision === null) return null;
      if (kept && isSame(kept.revision, revision)) return kept.policies;
      const text = await readPolicyText(sql, revision);
      if (text === undefined) throw new Error(`authorization policy ${revision.number} is in force but cannot be read`);
      const policies = compilePolicySet(text);
      kept = { revision, policies };
      return policies;
    },
  };
}

function isSame(one: Revision, other: Revision): boolean {
  return one.number === other.number && one.installedAt === other.installedAt;
}

/**
 * How long the first refused guess of an address waits for others; each window of a continuing burst is twice the previous one.
 */
const FIRST_WINDOW_MS = 500;
const LONGEST_WINDOW_MS = 60_000;

interface Burst {
  readonly first: Decision;
  readonly begun: number;
  readonly timer: NodeJS.Timeout;
  readonly windowMs: number;
  count: number;
}

/**
 * Records refused guesses at proofs of identity: a burst from one address is one entry with a count, so that guessing cannot fill the
 * decision log (console-8). None is lost while the process lives: what the log cannot take yet waits for the next window.
 */
export class GuessLog {
  readonly #append: (decision: Decision) => boolean;
  readonly #bursts = new Map<string, Burst>();
  /** Windows of the bursts that ended last, by address: a burst that continues begins with twice that. */
  readonly #recent = new Map<string, { readonly windowMs: number; readonly until: number }>();

  /** @param append hands an entry to the decision log. @returns false where it cannot take it */
  constructor(append: (decision: Decision) => boolean) {
    this.#append = append;
  }

  add(decision: Decision): void {
    const address = decision.sourceAddress ?? '';
    const burst = this.#bursts.get(address);
    if (burst === undefined) this.#open(address, decision, 1);
    else burst.count += 1;
  }

  /** Hands over everything that waits. */
  flush(): void {
    const addresses = [...this.#bursts.keys()]; // what the log cannot take comes back into the map
    for (const address of addresses) this.#close(address);
  }

  /** Hands over everything, and waits for nothing more. */
  close(): void {
    this.flush();
    for (const { timer } of this.#bursts.values()) clearTimeout(timer);
  }

  #open(address: string, first: Decision, count: number): void {
    const now = performance.now();
    for (const [known, { until }] of this.#recent) if (until < now) this.#recent.delete(known);
    const before = this.#recent.get(address)?.windowMs ?? FIRST_WINDOW_MS / 2;
    const windowMs = Math.min(LONGEST_WINDOW_MS, 2 * before);
    const timer = setTimeout(() => this.#close(address), windowMs);
    this.#bursts.set(address, { first, begun: now, timer, windowMs, count });
  }

  #close(address: string): void {
    const burst = this.#bursts.get(address);
    if (burst === undefined) return;
    this.#bursts.delete(address);
    clearTimeout(burst.timer);
    const { first, count, begun, windowMs } = burst;
    this.#recent.set(address, { windowMs, until: performance.now() + windowMs });
    const seconds = Math.max(1, Math.round((performance.now() - begun) / 1000));
    const detail = count === 1 ? first.detail : `${count} refused sign-ins from this address within ${seconds} s`;
    if (!this.#append({ ...first, detail })) this.#open(address, first, count);
  }
}
