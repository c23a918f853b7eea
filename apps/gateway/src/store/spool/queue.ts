import type { Durability } from '@gateway/database/gateway';
import type { Spool, Spooled } from './spool.ts';

const ALWAYS_DURABLE: Durability = { inserted: 0, proven: 0, onProven: () => {} };

/** Waits between tries, in milliseconds: doubled from the first to the last. */
const FIRST_WAIT = 250;
const LONGEST_WAIT = 30_000;
/** Records written at once while the queue empties. */
const AT_ONCE = 64;

export interface Queue<Entry> {
  /**
   * Writes the record now. When it resolves, the record outlives a crash of the database and of this process.
   * @throws where it could not be written; it is then not kept either
   */
  write(record: Entry): Promise<void>;
  /**
   * Sees to it that the record is written, now or after any number of tries, also by a later process.
   * @param kept runs once the record outlives this process. Where somebody waits for that, the records of one turn of the
   * event loop are kept together; else the record is kept when this returns.
   * @param final what is to be written, where that is still being made: until then the record stands for it, and is what a
   * process that dies leaves behind.
   */
  writeLater(record: Entry, kept?: () => void, final?: Promise<Entry>): void;
  /** Waits until nothing is under way, at most `milliseconds`. What is left lies on disk, or the fault is told. */
  drain(milliseconds: number): Promise<void>;
  /** Puts records on disk for a later process, each for itself: one that the disk refuses is told, and takes no other with it. */
  leave(records: readonly Entry[]): void;
  /** Records that wait for a further try. */
  readonly waiting: number;
}

export interface QueueOptions<Entry extends Spooled> {
  /** Idempotent by the record's id (decisions §8). */
  readonly insert: (record: Entry) => Promise<void>;
  readonly spool: Spool<Entry>;
  /** Where the database may lose what it inserted last: how far that is on disk. Default: an insert is durable. */
  readonly durability?: Durability;
  /** Told of a record that neither the database nor the disk took: the one way to lose it is that the process ends. */
  readonly onSpoolFault: (error: unknown) => void;
}

/** A record on its way into the database, and what holds it on disk meanwhile. */
interface Held<Entry> {
  readonly record: Entry;
  /** Lets the journal forget it; null where no journal holds it. */
  release: (() => void) | null;
  spooled: boolean;
}

/** A record that is still to be begun. */
interface Handed<Entry> {
  readonly record: Entry;
  readonly final: Promise<Entry> | undefined;
}

/** The way of records into the database; what an earlier process left in the spool is taken up at once. */
export function createQueue<Entry extends Spooled>(options: QueueOptions<Entry>): Queue<Entry> {
  const { insert, spool, durability = ALWAYS_DURABLE, onSpoolFault } = options;
  const waiting = new Map<string, Held<Entry>>();
  const underWay = new Set<Held<Entry>>();
  const running = new Set<Promise<void>>();
  /** Records of this turn of the event loop, and who waits for each. */
  let turn: (Handed<Entry> & { readonly kept: () => void })[] = [];
  /** Records inserted by one statement before anything held them on disk, and who waits for that. */
  let insertedNow: { readonly record: Entry; readonly kept: () => void }[] = [];
  /** What is to be let go once the database has it on disk, in the order of its insertion. */
  let unproven: { readonly inserted: number; readonly letGo: () => void }[] = [];
  let wait = FIRST_WAIT;
  let timer: NodeJS.Timeout | null = null;
  durability.onProven(letProvenGo);

  for (const record of spool.kept()) waiting.set(record.id, { record, release: null, spooled: true });
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

  /** What a disk refuses here costs no record: at worst it is written once more, which changes nothing. */
  function onDisk(work: () => void): void {
    try {
      work();
    } catch (error) {
      onSpoolFault(error);
    }
  }

  function letGo(held: Held<Entry>): void {
    const { release } = held;
    held.release = null;
    if (release !== null) onDisk(release);
  }

  /** Tries every waiting record once. Where none of a batch is taken, it is the database, and the others wait as well. */
  async function empty(): Promise<void> {
    const all = [...waiting.values()];
    let progress = false;
    for (let from = 0; from < all.length; from += AT_ONCE) {
      const some = all.slice(from, from + AT_ONCE);
      const tries = await Promise.allSettled(some.map(({ record }) => insert(record)));
      some.forEach((held, index) => {
        if (tries[index]?.status === 'fulfilled') written(held);
        else putBack(held);
      });
      if (tries.every(({ status }) => status === 'rejected')) break;
      progress = true;
    }
    if (progress || all.length === 0) wait = FIRST_WAIT;
    if (waiting.size === 0) {
      onceProven(() => onDisk(() => spool.forgetJournals()));
      return;
    }
    arm(wait);
    wait = Math.min(wait * 2, LONGEST_WAIT);
  }

  function written(held: Held<Entry>): void {
    const { id } = held.record;
    waiting.delete(id);
    onceProven(() => {
      letGo(held);
      if (held.spooled) onDisk(() => spool.remove(id));
    });
  }

  function onceProven(work: () => void): void {
    if (durability.inserted <= durability.proven) work();
    else unproven.push({ inserted: durability.inserted, letGo: work });
  }

  function letProvenGo(): void {
    const proven = unproven.filter(({ inserted }) => inserted <= durability.proven);
    unproven = unproven.slice(proven.length);
    for (const one of proven) one.letGo();
  }

  /** What is held until the proof is one function for all of a statement: it outlives many calls. */
  function keepInserted(): void {
    const all = insertedNow;
    insertedNow = [];
    const release = journalled(all.map(({ record }) => record));
    if (release !== null) onceProven(repeated(release, all.length));
    for (const { kept } of all) kept();
  }

  function repeated(release: () => void, times: number): () => void {
    return () => {
      for (let left = times; left > 0; left -= 1) onDisk(release);
    };
  }

  /** Behind the others: records that the database will never take must not keep it from taking those. */
  function putBack(held: Held<Entry>): void {
    const { id } = held.record;
    if (!waiting.delete(id)) return; // another round has written it
    waiting.set(id, held);
    if (!held.spooled) moveToSpool(held, () => {}); // told when it was refused first, and once more at the end
  }

  /** Records whose callers may have their whole answers already must outlive this process from here on. */
  function begin(handed: readonly Handed<Entry>[]): void {
    const release = journalled(handed.map(({ record }) => record));
    for (const { record, final } of handed) {
      const held = { record, release, spooled: false };
      underWay.add(held);
      track(seeTo(held, final).finally(() => underWay.delete(held)));
    }
  }

  async function seeTo(held: Held<Entry>, final: Promise<Entry> | undefined): Promise<void> {
    const record = final === undefined ? held.record : await final.catch(() => held.record);
    try {
      await insert(record);
    } catch {
      keep(record, held);
      return;
    }
    written(held);
  }

  function journalled(records: readonly Entry[]): (() => void) | null {
    try {
      return spool.journal.append(records);
    } catch (error) {
      onSpoolFault(error);
      return null;
    }
  }

  function endTurn(): void {
    const ended = turn;
    turn = [];
    if (ended.length === 0) return;
    begin(ended);
    for (const { kept } of ended) kept();
  }

  function keep(record: Entry, { release, spooled }: Held<Entry>): void {
    const held = { record, release, spooled };
    waiting.set(record.id, held);
    moveToSpool(held, onSpoolFault);
    arm(wait);
  }

  /** Where the spool does not take it, the journal holds it on. */
  function moveToSpool(held: Held<Entry>, onFault: (error: unknown) => void): void {
    try {
      spool.add(held.record);
    } catch (error) {
      onFault(error);
      return;
    }
    held.spooled = true;
    letGo(held);
  }

  return {
    async write(record) {
      await insert(record);
      if (durability === ALWAYS_DURABLE) return;
      await new Promise<void>((kept) => {
        // Runs once all promises of the statement are settled, in the same turn: callers that go on together share the next batches.
        if (insertedNow.push({ record, kept }) === 1) process.nextTick(keepInserted);
      });
    },
    writeLater(record, kept, final) {
      if (kept === undefined) begin([{ record, final }]);
      else if (turn.push({ record, final, kept }) === 1) setImmediate(endTurn);
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
        endTurn();
      }
      clearTimeout(late);
      if (timer !== null) clearTimeout(timer);
      for (const held of [...waiting.values(), ...underWay]) {
        if (!held.spooled && held.release === null) moveToSpool(held, onSpoolFault);
      }
    },
    leave(records) {
      for (const record of records) moveToSpool({ record, release: null, spooled: false }, onSpoolFault);
    },
    get waiting() {
      return waiting.size;
    },
  };
}
