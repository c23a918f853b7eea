import type { Durability } from '@gateway/database/gateway';
import type { Line, Spool } from './spool.ts';

const ALWAYS_DURABLE: Durability = { inserted: 0, proven: 0, onProven: () => {} };

/** Waits between tries, in milliseconds: doubled from the first to the last. */
const FIRST_WAIT_MS = 250;
const LONGEST_WAIT_MS = 30_000;
/** Records written by one statement while the queue empties. */
const RETRIED_TOGETHER = 64;
/** Records that nobody waits for are written together: so many, or those of so long. Measured: a third less of PostgreSQL's time for a call. */
const BATCH = 128;
const BATCH_WINDOW_MS = 40;

export interface Queue<Entry> {
  /**
   * Writes the record now. When it resolves, the record outlives a crash of the database and of this process.
   * @throws where it could not be written; it is then not kept either
   */
  write(record: Entry): Promise<void>;
  /**
   * Sees to it that the record is written, now or after any number of tries, also by a later process.
   * @param kept runs once the record outlives this process: where no file can be written, once the database has it. Where somebody waits for that, the records of one turn of the
   * event loop are kept together; else the record is kept when this returns.
   * @param final what is to be written, where that is still being made: until then the record stands for it, and is what a
   * process that dies leaves behind.
   */
  writeLater(record: Entry, kept?: () => void, final?: Promise<Entry>): void;
  /** Waits until nothing is under way, at most `milliseconds`. What is left lies on disk, or the fault is reported. */
  drain(milliseconds: number): Promise<void>;
  /** Puts records on disk for a later process, each for itself: one that the disk refuses is reported, and takes no other with it. */
  leave(lines: readonly Line[]): void;
  /** Records that wait for a further try. */
  readonly waiting: number;
}

/** Records that were refused for what they hold, and why. */
export type Refused = ReadonlyMap<Line, Error>;

export interface QueueOptions<Entry> {
  /** Idempotent by the record's id (relay-30). @throws where nothing is known to be written */
  readonly insert: (lines: readonly Line[]) => Promise<Refused>;
  readonly spool: Spool<Entry>;
  /** Where the database may lose what it inserted last: how far that is on disk. Default: an insert is durable. */
  readonly durability?: Durability;
  /** Called for a record that neither the database nor the disk took: it is lost if the process ends now. */
  readonly onSpoolFault: (error: unknown) => void;
}

/** A record on its way into the database, and what holds it on disk meanwhile. */
interface Held {
  line: Line;
  /** Lets the journal forget it; null where no journal holds it. */
  release: (() => void) | null;
  spooled: boolean;
  /** Who waits until it outlives this process, where the journal did not take it. */
  kept: (() => void) | null;
}

/** A record that is still to be begun. */
interface Handed<Entry> {
  readonly line: Line;
  readonly final: Promise<Entry> | undefined;
  readonly kept: (() => void) | null;
}

/** The way of records into the database; what an earlier process left in the spool is taken up at once. */
export function createQueue<Entry>(options: QueueOptions<Entry>): Queue<Entry> {
  const { insert, spool, durability = ALWAYS_DURABLE, onSpoolFault } = options;
  /** For a further try, by their ids. */
  const waiting = new Map<string, Held>();
  /** Not known to be in the database, and not waiting for a further try. */
  const underWay = new Set<Held>();
  const running = new Set<Promise<void>>();
  /** Records of this turn of the event loop, and who waits for each. */
  let turn: Handed<Entry>[] = [];
  /** Records for the next statement. */
  let batch: Held[] = [];
  let batchTimer: NodeJS.Timeout | null = null;
  /** Records inserted by one statement before anything held them on disk, and who waits for that. */
  let insertedNow: { readonly line: Line; readonly kept: () => void }[] = [];
  /** What is to be let go once the database has it on disk, in the order of its insertion. */
  let unproven: { readonly inserted: number; readonly letGo: () => void }[] = [];
  let wait = FIRST_WAIT_MS;
  let timer: NodeJS.Timeout | null = null;
  durability.onProven(letProvenGo);

  for (const line of spool.kept()) waiting.set(line.id, { line, release: null, spooled: true, kept: null });
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

  /** Lets who waits for the record go on: it is in the database or on disk. */
  function answer(held: Held): void {
    const { kept } = held;
    held.kept = null;
    kept?.();
  }

  /** Tries every waiting record once. Where none of a batch is taken, it is the database, and the others wait as well. */
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

  /** Those that the database did not take, whatever the reason. */
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
    if (!held.spooled) moveToSpool(held, () => {}); // reported when it was refused first, and once more at the end
  }

  /** Records whose callers may have their whole answers already must outlive this process from here on. */
  function begin(handed: readonly Handed<Entry>[]): void {
    const release = journalled(handed.map(({ line }) => line));
    for (const { line, final, kept } of handed) {
      const held: Held = { line, release, spooled: false, kept };
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

  /** Where the spool does not take it, the journal holds it on. */
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
        // Runs once all promises of the statement are settled, in the same turn: callers that go on together share the next batches.
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
        const ended = await Promise.race([Promise.allSettled(running).then(() => true), end.then(() => false)]);
        if (!ended) break;
        endTurn();
        sendBatch();
      }
      clearTimeout(late);
      if (timer !== null) clearTimeout(timer);
      if (batchTimer !== null) clearTimeout(batchTimer);
      for (const held of [...waiting.values(), ...underWay]) {
        if (!held.spooled && held.release === null) moveToSpool(held, onSpoolFault);
      }
    },
    leave(lines) {
      for (const line of lines) moveToSpool({ line, release: null, spooled: false, kept: null }, onSpoolFault);
    },
    get waiting() {
      return waiting.size;
    },
  };
}
