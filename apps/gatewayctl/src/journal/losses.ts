import type { ChainName } from '@gateway/database';
import type { ChainedEntry, VerificationResult } from '@gateway/ledger';

/** An entry which records that the log lacked earlier ones when it was written. */
export interface Loss {
  readonly sequence: number;
  readonly detail: string;
}

/** A log, what its verification says, and what its own entries say was lost. */
export type Verified = readonly [ChainName, VerificationResult, readonly Loss[]];

/** Collects these entries while a log is verified. A verification that starts over sees them twice. */
export class Losses {
  readonly #found = new Map<bigint, Loss>();

  readonly see = ({ sequence, entry }: ChainedEntry): void => {
    const { reason, detail } = entry;
    if (reason === 'entries-missing' && typeof detail === 'string')
      this.#found.set(sequence, { sequence: Number(sequence), detail });
  };

  found(): readonly Loss[] {
    return [...this.#found.values()];
  }
}
