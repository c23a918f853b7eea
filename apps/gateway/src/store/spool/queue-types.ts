import type { Durability } from '@gateway/database/gateway';
import type { Line, Spool } from './spool.ts';

export interface Queue<Entry> {
  /**
   * Writes the record now. When it resolves, the record survives a crash of the database and of this process.
   * @throws where it could not be written; it is not stored then
   */
  write(record: Entry): Promise<void>;
  /**
   * Queues the record for writing, with any number of attempts, even by a later process.
   * @param kept runs once the record is durable: in a file, or else in the database. The records of one turn that callers wait
   * for are stored together; any other is stored when this returns.
   * @param final the final record, if it is still being made: until then the first form represents it, and remains after a crash.
   */
  writeLater(record: Entry, kept?: () => void, final?: Promise<Entry>): void;
  /** Waits, at most `milliseconds`, until nothing is pending. The rest stays on disk, or the fault is reported. */
  drain(milliseconds: number): Promise<void>;
  /** Puts records on disk for a later process, each for itself: one that the disk refuses is reported, and takes no other with it. */
  leave(lines: readonly Line[]): void;
  /** Records that wait for a further try. */
  readonly waiting: number;
}

/** Records refused because of their content, and the cause. */
export type Refused = ReadonlyMap<Line, Error>;

export interface QueueOptions<Entry> {
  /** Idempotent by the record's id (relay-30). @throws where no insertion is confirmed */
  readonly insert: (lines: readonly Line[]) => Promise<Refused>;
  readonly spool: Spool<Entry>;
  /** Where the database may lose its last inserts: how far they are on disk. Default: an insert is durable. */
  readonly durability?: Durability;
  /** Called for a record that neither the database nor the disk accepted: it is lost if the process ends now. */
  readonly onSpoolFault: (error: unknown) => void;
}
