import type { Spool, Spooled } from './spool.ts';

/** Waits between tries, in milliseconds: doubled from the first to the last. */
const FIRST_WAIT = 250;
const LONGEST_WAIT = 30_000;
/** Records written at once while the queue empties. */
const AT_ONCE = 64;

export interface Queue<Entry> {
  /** Writes the record now. @throws where it could not be written; it is then not kept either */
  write(record: Entry): Promise<void>;
  /** Sees to it that the record is written, now or after any number of tries, also by a later process. */
  writeLater(record: Entry): void;
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
  let wait = FIRST_WAIT;
  let timer: NodeJS.Timeout | null = null;

  for (const record of spool.kept()) waiting.set(record.id, record);
  if (waiting.size > 0) arm(0);

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

  /** A record whose caller may have its whole answer already must outlive this process from here on. */
  function journalled(record: Entry): void {
    try {
      spool.journal.append(record);
    } catch (error) {
      onSpoolFault(error);
    }
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
    writeLater(record) {
      journalled(record);
      track(
        insert(record)
          .catch(() => keep(record))
          .finally(() => spool.journal.settle()),
      );
    },
    async drain(milliseconds) {
      if (timer !== null) {
        clearTimeout(timer);
        timer = null;
      }
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
