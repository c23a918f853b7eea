import type { WorkSeen } from '@gateway/domain/usage/shape';
import { v7 as uuid } from 'uuid';
import { type Fields, isFields } from './api.ts';
import { type Counts, UsageReading } from './counts.ts';
import { nextMark } from './failure.ts';

/** Words with which services say that work goes on after the answer that started it, without regard to case and prefixes. */
const PENDING = [
  'queued',
  'in_progress',
  'validating',
  'finalizing',
  'cancelling',
  'canceling',
  'pending',
  'running',
  'processing',
  'created',
  'submitted',
  'starting',
];
const PREFIX = /^(?:batch_state_|job_state_)/;
const PENDING_WORDS = new Set(PENDING);
/** How the members are named by which an answer shows such work, after their first quote. */
const MARKS = ['status"', 'state"', 'background"', 'request_id"'].map((mark) => Buffer.from(mark));
/** What the first two of them say then; the others mean it by themselves. */
const SAYS = new RegExp(String.raw`^(?:status|state)"\s*:\s*"(?!(?:\w+_state_)?(?:${PENDING.join('|')})")`, 'i');
/** Bytes in which that is seen. */
const SEEN = 64;

/** Whether an answer to a POST may have started such work. */
export function mayStartWork(answer: Buffer): boolean {
  for (const mark of MARKS)
    for (let at = nextMark(answer, mark); at >= 0; at = nextMark(answer, mark, at + mark.length))
      if (!SAYS.test(answer.toString('latin1', at, at + SEEN))) return true;
  return false;
}

/** Members of an object that stands for such work. */
const MEMBERS = [
  'id',
  'name',
  'request_id',
  'status',
  'processing_status',
  'state',
  'done',
  'background',
  'metadata',
  'usage',
  'usageMetadata',
  'meta',
  'output_file_id',
] as const;
/** Members of an answer that contain such an object. */
const HOLDERS = ['response', 'interaction'] as const;
/** The objects of a list, by their members. */
const LISTED = MEMBERS.map((name) => ['data', '*', name]);
/** The usage of each call in a file of results. */
const RESULTS = [
  ['response', 'body', 'usage'],
  ['result', 'message', 'usage'],
  ['response', 'usageMetadata'],
  ['response', 'inlinedResponses', 'inlinedResponses', '*', 'response', 'usageMetadata'],
] as const;

/** What is read of an answer that is not parsed whole. */
export const BACKGROUND_PATHS: readonly (readonly string[])[] = [
  ...MEMBERS.map((name) => [name]),
  ...HOLDERS.flatMap((holder) => MEMBERS.map((name) => [holder, name])),
  ['response', 'responsesFile'],
  ...LISTED,
  ...RESULTS,
];

/** Objects of one list; services send a hundred at most. */
const MOST_LISTED = 1000;
/** Bytes of an id; longer ones exist in no service. */
const LONGEST_ID = 1024;

/** Reads which work an answer shows that ends after the call that started it: a response in the background, a batch, an interaction (relay-38). */
export class BackgroundReading {
  #object: Record<string, unknown> = {};
  readonly #listed: Record<string, unknown>[] = [];
  /** The sum of a file of results. */
  #results: Counts | null = null;

  /** @param payload an answer, or an event of one. */
  read(payload: Fields): void {
    const holder = HOLDERS.map((name) => payload[name]).find(isFields);
    const isEvent = typeof payload['type'] === 'string' || typeof payload['event_type'] === 'string';
    this.#take(isEvent && holder !== undefined ? holder : payload);
  }

  /** One value of an answer that is not parsed whole. */
  member(path: readonly string[], value: unknown): void {
    const name = path.at(-1) ?? '';
    if (LISTED.some((one) => one === path)) this.#list(name, value);
    else if (RESULTS.some((one) => one === path)) this.#add(countsOf({ [name]: value }));
    else this.#object[name] = value;
  }

  /** Whether the last object is of work that goes on. */
  get isPending(): boolean {
    const { id, request_id: request } = this.#object;
    const isDeferred = typeof request === 'string' && id === undefined && countsOf(this.#object) === null;
    return this.id !== null && (isPending(this.#object) || isDeferred);
  }

  get isBackground(): boolean {
    return this.#object['background'] === true && this.id !== null;
  }

  /** Of the object, as the service calls it. */
  get id(): string | null {
    return idOf(this.#object);
  }

  /** What a call that started work shows of it. @param isFinal whether the answer reports the final usage, which its own record has */
  started(isFinal: boolean): readonly Sighting[] {
    const { id } = this;
    if (id === null) return [];
    return [{ id, isStart: true, isEnd: isFinal, counts: null, partOf: null }, ...filesOf(this.#object, id)];
  }

  /** What any other call shows. @param path of the call, which may name the work that its answer does not name. */
  seen(path: string): readonly Sighting[] {
    const named = idInPath(path);
    const all = [this.#object, ...this.#listed].flatMap((object) => endOf(object, idOf(object)));
    const { id } = this;
    // A deferred completion has an id of its own.
    if (named !== null && named !== id) all.push(...endOf(this.#object, named).filter(({ isEnd }) => isEnd));
    if (named !== null && this.#results !== null)
      all.push({ id: named, isStart: false, isEnd: true, counts: this.#results, partOf: null });
    return all;
  }

  #take(object: Fields): void {
    for (const name of MEMBERS) if (object[name] !== undefined) this.#object[name] = object[name];
  }

  /** A member that the last object has begins the next object. */
  #list(name: string, value: unknown): void {
    const last = this.#listed.at(-1);
    if (last !== undefined && !(name in last)) last[name] = value;
    else if (this.#listed.length < MOST_LISTED) this.#listed.push({ [name]: value });
  }

  #add(counts: Counts | null): void {
    if (counts === null) return;
    const sum = this.#results ?? { input: 0, cached: 0, written: 0, output: 0 };
    this.#results = {
      input: sum.input + counts.input,
      cached: sum.cached + counts.cached,
      written: sum.written + counts.written,
      output: sum.output + counts.output,
    };
  }
}

/** Work in an answer. */
export interface Sighting {
  readonly id: string;
  readonly isStart: boolean;
  readonly isEnd: boolean;
  /** The final usage, where this answer shows it. */
  readonly counts: Counts | null;
  /** The work whose usage this file of results contains. */
  readonly partOf: string | null;
}

/** As a usage record contains it. */
export function workSeen(sighting: Sighting, provider: string): WorkSeen {
  const { id, isStart, isEnd, counts, partOf } = sighting;
  const { input, cached, written, output } = counts ?? { input: 0, cached: 0, written: 0, output: 0 };
  return { billId: uuid(), provider, workId: id, isStart, isEnd, input, cached, written, output, partOf };
}

function endOf(object: Fields, id: string | null): readonly Sighting[] {
  if (id === null || isPending(object)) return [];
  const counts = countsOf(object);
  const end = counts === null ? [] : [{ id, isStart: false, isEnd: true, counts, partOf: null }];
  return [...end, ...filesOf(object, id)];
}

/** The file with the results of a batch. */
function filesOf(object: Fields, id: string): readonly Sighting[] {
  const file = idFrom(object['output_file_id']) ?? idFrom(object['responsesFile']);
  return file === null ? [] : [{ id: file, isStart: false, isEnd: false, counts: null, partOf: id }];
}

function statusOf(object: Fields): string | null {
  const { status, processing_status: processing, state, metadata, name } = object;
  // Of a named operation; in other objects, the metadata are the caller's.
  const own = [status, processing, state, typeof name === 'string' && isFields(metadata) ? metadata['state'] : null];
  const word = own.find((one) => typeof one === 'string');
  return word === undefined ? null : word.toLowerCase().replace(PREFIX, '');
}

function isPending(object: Fields): boolean {
  const status = statusOf(object);
  if (status !== null) return PENDING_WORDS.has(status);
  return object['done'] === false;
}

function idOf({ id, name, request_id: request }: Fields): string | null {
  return idFrom(id) ?? idFrom(name) ?? idFrom(request);
}

/** Without the collection before it: the same work is `batches/7` and `7` in a path. */
function idFrom(value: unknown): string | null {
  if (typeof value !== 'string') return null;
  const id = value.slice(value.lastIndexOf('/') + 1);
  return id === '' || Buffer.byteLength(id) > LONGEST_ID ? null : id;
}

/** Last segments of a path that name a part of the thing before them. */
const PARTS = /(?:\/(?:content|results|cancel)|:(?:download|cancel))\/?$/;

/** Last segments of nearly every path that makes a model speak: they name no single thing. */
const COLLECTION = /\/(?:completions|messages|responses|embeddings)$/;

/** The id of the thing that a call is about, or the name of a less common collection; null for neither. @param path without its query */
export function idInPath(path: string): string | null {
  if (COLLECTION.test(path)) return null;
  const plain = path.replace(PARTS, '');
  try {
    return idFrom(decodeURIComponent(plain.slice(plain.lastIndexOf('/') + 1)));
  } catch {
    return null; // no name that a service would give
  }
}

/** Null where the object reports no tokens. */
function countsOf(object: Fields): Counts | null {
  const reading = new UsageReading();
  reading.count(object);
  const { input, cached, written, output } = reading.reported;
  if ((input ?? 0) + (output ?? 0) === 0) return null;
  return { input: input ?? 0, cached, written, output: output ?? 0 };
}
