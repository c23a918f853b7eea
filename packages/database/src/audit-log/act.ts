import type { JsonValue } from '@gateway/ledger';
import type { Queryable } from '../client/connect.ts';

/** One act of administration: its transaction, and its entry in the log, whose author and seal are the caller's. */
export interface Act {
  readonly sql: Queryable;
  /** Called last, and only where something changed. */
  readonly record: (act: { action: string; target: string; before: JsonValue; after: JsonValue }) => Promise<void>;
}
