import type { Durability } from '@gateway/domain/usage/gateway';
import { PackedSet, type Slotted } from '../process/packed-set.ts';
import type { Line, Spool } from './spool.ts';

/** Of a database that has every insert on disk. */
const ALWAYS_DURABLE: Durability = { inserted: 0, proven: 0, onProven: () => {} };

/** @returns runs work, in order, once the database has the records on disk that were inserted before the call. */
function waitForDurability(durability: Durability): (work: () => void) => void {
  let unproven: { readonly inserted: number; readonly work: () => void }[] = [];
  durability.onProven(() => {
    const proven = unproven.filter(({ inserted }) => inserted <= durability.proven);
    unproven = unproven.slice(proven.length);
    for (const { work } of proven) work();
  });
  return (work) => {
    if (durability.inserted <= durability.proven) work();
    else unproven.push({ inserted: durability.inserted, work });
  };
}

/** Delays between attempts, in milliseconds: doubled from the first to the last. */
const FIRST_WAIT_MS = 250;
const LONGEST_WAIT_MS = 5000;
/** Records written by one statement while the queue empties. */
const RETRIED_TOGETHER = 64;
/**
 * Records without a waiting caller are written in batches, by number or age. Measured: a third less of PostgreSQL's time per
 * call.
 */
const BATCH = 128;
const BATCH_WINDOW_MS = 40;

/** A record on its way into the database, and its copy on disk. */
interface Held extends Slotted {
  line: Line;
  /** Releases it from the journal; null where no journal has it. */
  release: (() => void) | null;
  spooled: boolean;
  /** The callers that wait for durability, where the journal refused it. */
  kept: (() => void) | null;
}

interface Running extends Slotted {
  readonly work: Promise<void>;
}

/** A record that is not queued yet. */
interface Handed<Entry> {
  readonly line: Line;
  readonly final: Promise<Entry> | undefined;
  readonly kept: (() => void) | null;
}

/** The path of records into the database; an earlier process's spool is read at once. */
export function createQueue<Entry>(options: QueueOptions<Entry>): Queue<Entry> {
  const { insert, spool, durability = ALWAYS_DURABLE, onSpoolFault } = options;
  /** For a further try, by their ids. */
  const waiting = new Map<string, Held>();
  /** Not confirmed by the database, and not waiting for another attempt. */
  const underWay = new PackedSet<Held>();
  const running = new PackedSet<Running>();
  /** Records of this turn of the event loop, and their waiting callers. */
  let turn: Handed<Entry>[] = [];
  /** Records for the next statement. */
  let batch: Held[] = [];
  let batchTimer: NodeJS.Timeout | null = null;
  /** Records that one statement inserted before they were on disk, and their waiting callers. */
  let insertedNow: { readonly line: Line; readonly kept: () => void }[] = [];
  const onceProven = waitForDurability(durability);
  let wait = FIRST_WAIT_MS;
  let timer: NodeJS.Timeout | null = null;

  for (const line of spool.kept()) waiting.set(line.id, { line, release: null, spooled: true, kept: null, slot: -1 });
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
    const one: Running = { work, slot: -1 };
    running.add(one);
    work
      .finally(() => {
        running.delete(one);
      })
      .catch(() => {}); // the maker of the work handles its faults
  }

  /** What a disk refuses here costs no record: at worst it is written once more, which changes nothing. */
  function onDisk(work: () => void): void {
    try {
      work();
    } catch (error) {
      onSpoolFault(error);
    }
  }

  function letGo(held: Held): void {
    const { release } = held;
    held.release = null;
    if (release !== null) onDisk(release);
  }

  /** Releases the waiting callers of the record: it is in the database or on disk. */
  function answer(held: Held): void {
    const { kept } = held;
    held.kept = null;
    kept?.();
  }

  /** Tries every waiting record once. If a whole batch fails, the database is at fault, and the others wait, too. */
  async function empty(): Promise<void> {
    const all = [...waiting.values()];
    let progress = false;
    for (let from = 0; from < all.length; from += RETRIED_TOGETHER) {
      const some = all.slice(from, from + RETRIED_TOGETHER);
      const refused = await insertedOrRefused(some);
      written(some.filter(({ line }) => !refused.has(line)));
      for (const held of some) if (refused.has(held.line)) putBack(held);
      if (refused.size === some.length) break;
      progress = true;
    }
    if (progress || all.length === 0) wait = FIRST_WAIT_MS;
    if (waiting.size === 0) {
      onceProven(() => onDisk(() => spool.forgetJournals()));
      return;
    }
    arm(wait);
    wait = Math.min(wait * 2, LONGEST_WAIT_MS);
  }

  /** The records that the database did not accept, for any reason. */
  async function insertedOrRefused(all: readonly Held[]): Promise<Refused> {
    const lines = all.map(({ line }) => line);
    try {
      return await insert(lines);
    } catch (error) {
      const reason = error instanceof Error ? error : new Error(String(error));
      return new Map(lines.map((line) => [line, reason]));
    }
  }

  function written(all: readonly Held[]): void {
    if (all.length === 0) return;
    for (const { line } of all) waiting.delete(line.id);
    onceProven(() => {
      for (const held of all) {
        letGo(held);
        answer(held);
        if (held.spooled) onDisk(() => spool.remove(held.line.id));
      }
    });
  }

  /** One function per statement releases its copies: they outlive many calls. */
  function keepInserted(): void {
    const all = insertedNow;
    insertedNow = [];
    const release = journalled(all.map(({ line }) => line));
    const goOn = (): void => {
      for (const { kept } of all) kept();
    };
    if (release === null) return onceProven(goOn); // only the database has them
    onceProven(repeated(release, all.length));
    goOn();
  }

  function repeated(release: () => void, times: number): () => void {
    return () => {
      for (let left = times; left > 0; left -= 1) onDisk(release);
    };
  }

  /** Behind the others: records that the database will never take must not keep it from taking those. */
  function putBack(held: Held): void {
    const { id } = held.line;
    if (!waiting.delete(id)) return; // another round has written it
    waiting.set(id, held);
    if (!held.spooled) moveToSpool(held, () => {}); // reported at the first refusal, and once more at the end
  }

  /** Records whose callers may have their whole answers already must outlive this process from here on. */
  function begin(handed: readonly Handed<Entry>[]): void {
    const release = journalled(handed.map(({ line }) => line));
    for (const { line, final, kept } of handed) {
      const held: Held = { line, release, spooled: false, kept, slot: -1 };
      underWay.add(held);
      if (final === undefined) collect(held);
      else track(finished(held, final));
      if (release !== null) answer(held);
    }
  }

  async function finished(held: Held, final: Promise<Entry>): Promise<void> {
    const record = await final.catch(() => null);
    if (record !== null) held.line = spool.lineOf(record);
    collect(held);
  }

  function collect(held: Held): void {
    if (batch.push(held) >= BATCH) sendBatch();
    else batchTimer ??= setTimeout(sendBatch, BATCH_WINDOW_MS);
  }

  function sendBatch(): void {
    if (batchTimer !== null) clearTimeout(batchTimer);
    batchTimer = null;
    const all = batch;
    batch = [];
    if (all.length > 0) track(send(all));
  }

  async function send(all: readonly Held[]): Promise<void> {
    const refused = await insertedOrRefused(all);
    for (const held of all) {
      underWay.delete(held);
      if (refused.has(held.line)) keep(held);
    }
    written(refused.size === 0 ? all : all.filter(({ line }) => !refused.has(line)));
  }

  function journalled(lines: readonly Line[]): (() => void) | null {
    try {
      return spool.journal.append(lines.map(({ text }) => text));
    } catch (error) {
      onSpoolFault(error);
      return null;
    }
  }

  function endTurn(): void {
    const ended = turn;
    turn = [];
    if (ended.length > 0) begin(ended);
  }

  function keep(held: Held): void {
    waiting.set(held.line.id, held);
    moveToSpool(held, onSpoolFault);
    arm(wait);
  }

  /** Where the spool refuses it, the journal keeps it. */
  function moveToSpool(held: Held, onFault: (error: unknown) => void): void {
    try {
      spool.add(held.line);
    } catch (error) {
      onFault(error);
      return;
    }
    held.spooled = true;
    letGo(held);
    answer(held);
  }

  return {
    async write(record) {
      const line = spool.lineOf(record);
      const refused = (await insert([line])).get(line);
      if (refused !== undefined) throw refused;
      if (durability === ALWAYS_DURABLE) return;
      await new Promise<void>((kept) => {
        // Runs once all promises of the statement are settled, in the same turn: released callers share the next batches.
        if (insertedNow.push({ line, kept }) === 1) process.nextTick(keepInserted);
      });
    },
    writeLater(record, kept, final) {
      const line = spool.lineOf(record);
      if (kept === undefined) begin([{ line, final, kept: null }]);
      else if (turn.push({ line, final, kept }) === 1) setImmediate(endTurn);
    },
    async drain(milliseconds) {
      if (timer !== null) {
        clearTimeout(timer);
        timer = null;
      }
      endTurn();
      sendBatch();
      let late: NodeJS.Timeout | undefined;
      const end = new Promise<void>((resolve) => {
        late = setTimeout(resolve, milliseconds);
      });
      if (waiting.size > 0) track(empty());
      while (running.size > 0) {
        const ended = await Promise.race([
          Promise.allSettled(running.all().map(({ work }) => work)).then(() => true),
          end.then(() => false),
        ]);
        if (!ended) break;
        endTurn();
        sendBatch();
      }
      clearTimeout(late);
      if (timer !== null) clearTimeout(timer);
      if (batchTimer !== null) clearTimeout(batchTimer);
      for (const held of [...waiting.values(), ...underWay.all()]) {
        if (!held.spooled && held.release === null) moveToSpool(held, onSpoolFault);
      }
    },
    leave(lines) {
      for (const line of lines)
        moveToSpool({ line, release: null, spooled: false, kept: null, slot: -1 }, onSpoolFault);
    },
    get waiting() {
      return waiting.size;
    },
  };
}

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

interface QueueOptions<Entry> {
  /** Idempotent by the record's id (relay-30). @throws where no insertion is confirmed */
  readonly insert: (lines: readonly Line[]) => Promise<Refused>;
  readonly spool: Spool<Entry>;
  /** Where the database may lose its last inserts: how far they are on disk. Default: an insert is durable. */
  readonly durability?: Durability;
  /** Called for a record that neither the database nor the disk accepted: it is lost if the process ends now. */
  readonly onSpoolFault: (error: unknown) => void;
}
