import type { Spool, Spooled } from './spool.ts';

/** Waits between tries, in milliseconds: doubled from the first to the last. */
const FIRST_WAIT = 250;
const LONGEST_WAIT = 30_000;
/** Records written at once while the queue empties. */
const AT_ONCE = 64;

export interface Queue<Entry> {
  /** Writes the record now. @throws where it could not be written; it is then not kept either */
  write(record: Entry): Promise<void>;
  /**
   * Sees to it that the record is written, now or after any number of tries, also by a later process.
   * @param kept runs once the record outlives this process. Where somebody waits for that, the records of one turn of the
   * event loop are kept together; else the record is kept when this returns.
   */
  writeLater(record: Entry, kept?: () => void): void;
  /** Waits until nothing is under way, at most `milliseconds`. What is left lies in the spool. */
  drain(milliseconds: number): Promise<void>;
  /** Records that wait for a further try. */
  readonly waiting: number;
}

export interface QueueOptions<Entry extends Spooled> {
  /** Idempotent by the record's id (decisions §8). */
  readonly insert: (record: Entry) => Promise<void>;
  readonly spool: Spool<Entry>;
  /** Told of a record that neither the database nor the disk took: the one way to lose it is that the process ends. */
  readonly onSpoolFault: (error: unknown) => void;
}

/** The way of records into the database; what an earlier process left in the spool is taken up at once. */
export function createQueue<Entry extends Spooled>({ insert, spool, onSpoolFault }: QueueOptions<Entry>): Queue<Entry> {
  const waiting = new Map<string, Entry>();
  const running = new Set<Promise<void>>();
  /** Records of this turn of the event loop, and who waits for each. */
  let turn: { readonly record: Entry; readonly kept: () => void }[] = [];
  let wait = FIRST_WAIT;
  let timer: NodeJS.Timeout | null = null;

  for (const record of spool.kept()) waiting.set(record.id, record);
  if (waiting.size > 0) arm(0);
  else spool.forgetJournals(); // a start that failed leaves empty ones

  function arm(milliseconds: number): void {
    if (timer !== null) return;
    timer = setTimeout(() => {
      timer = null;
      track(empty());
    }, milliseconds);
    timer.unref();
  }

  function track(work: Promise<void>): void {
    running.add(work);
    work
      .finally(() => {
        running.delete(work);
      })
      .catch(() => {}); // whoever made the work sees to its faults
  }

  async function empty(): Promise<void> {
    while (waiting.size > 0) {
      const some = [...waiting.values()].slice(0, AT_ONCE);
      const tries = await Promise.allSettled(some.map((record) => insert(record)));
      tries.forEach(({ status }, index) => {
        const id = some[index]?.id;
        if (status !== 'fulfilled' || id === undefined) return;
        waiting.delete(id);
        spool.remove(id);
      });
      if (tries.some(({ status }) => status === 'rejected')) {
        arm(wait);
        wait = Math.min(wait * 2, LONGEST_WAIT);
        return;
      }
      wait = FIRST_WAIT;
    }
    spool.forgetJournals();
  }

  /** Records whose callers may have their whole answers already must outlive this process from here on. */
  function begin(records: readonly Entry[]): void {
    const settle = journalled(records);
    for (const record of records) {
      track(
        insert(record)
          .catch(() => keep(record))
          .finally(settle),
      );
    }
  }

  function journalled(records: readonly Entry[]): () => void {
    try {
      return spool.journal.append(records);
    } catch (error) {
      onSpoolFault(error);
      return () => {};
    }
  }

  function endTurn(): void {
    const ended = turn;
    turn = [];
    if (ended.length === 0) return;
    begin(ended.map(({ record }) => record));
    for (const { kept } of ended) kept();
  }

  function keep(record: Entry): void {
    waiting.set(record.id, record);
    try {
      spool.add(record);
    } catch (error) {
      onSpoolFault(error);
    }
    arm(wait);
  }

  return {
    write: insert,
    writeLater(record, kept) {
      if (kept !== undefined) {
        if (turn.push({ record, kept }) === 1) setImmediate(endTurn);
        return;
      }
      begin([record]);
    },
    async drain(milliseconds) {
      if (timer !== null) {
        clearTimeout(timer);
        timer = null;
      }
      endTurn();
      let late: NodeJS.Timeout | undefined;
      const end = new Promise<void>((resolve) => {
        late = setTimeout(resolve, milliseconds);
      });
      if (waiting.size > 0) track(empty());
      while (running.size > 0) {
        const ended = await Promise.race([Promise.allSettled(running).then(() => true), end.then(() => false)]);
        if (!ended) break;
      }
      clearTimeout(late);
      if (timer !== null) clearTimeout(timer);
    },
    get waiting() {
      return waiting.size;
    },
  };
}
