import type { IncomingMessage } from 'node:http';
import { PassThrough, type Readable } from 'node:stream';
import { type Refusal, refusal } from '@gateway/contract';
import { type BodyShare, CHUNK_OVERHEAD } from '../../http/body.ts';

/** A body as it leaves. */
export type LeavingBody =
  | { readonly kind: 'whole'; readonly bytes: Buffer }
  /** A large body that is not buffered, or leaves in pieces. */
  | { readonly kind: 'flowing'; readonly stream: Readable };

/** A body as the pipeline hands it on. */
export type RequestBody =
  | LeavingBody
  /** A large body that may be a JSON object: it is buffered, but never copied whole. */
  | { readonly kind: 'long'; readonly parts: Buffer[]; readonly length: number };

const NO_BYTES = Buffer.alloc(0);
const NO_BODY: RequestBody = { kind: 'whole', bytes: NO_BYTES };

/** Bytes accepted before the caller is authorized. */
const EARLY_BYTES = 1024 * 1024;

/** A body is refused that delivers fewer bytes than these in so many milliseconds, after the caller is authorized. */
const LEAST_PACE = { bytes: 20 * 1024, milliseconds: 20_000 };
/** The pace is measured so often in that time. */
const PACE_SAMPLES = 4;

/** Bytes a body has to have before it may flow: a shorter one can be refused whole where it carries a secret. */
export const HELD_BYTES = 16 * 1024 * 1024;

/**
 * Reads a request's body while the checks run. A body that may be a JSON object is buffered at any length, because its `model` is
 * replaced only after the object's end (relay-14). Until `admit` is called, at most about `EARLY_BYTES` are read, because the
 * caller may be unauthorized.
 */
export class BodyIntake {
  readonly #request: IncomingMessage;
  readonly #share: BodyShare;
  /** Why the body is refused: no memory, or too slow. */
  #refused: Refusal | null = null;
  #pace: NodeJS.Timeout | null = null;
  readonly #chunks: Buffer[] = [];
  #length = 0;
  #admitted = false;
  #ended = false;
  /** The first byte other than white space; null until one arrives. */
  #firstByte: number | null = null;
  /** Called when what `admit` waits for is there. */
  #ready: (() => void) | null = null;

  /** @param share counts buffered bytes; its creator releases it. */
  constructor(request: IncomingMessage, hasBody: boolean, share: BodyShare) {
    this.#request = request;
    this.#share = share;
    if (!hasBody) this.#ended = true;
  }

  /** Starts to read. Separate from the constructor, so that a caller who waits for `100 Continue` is not read before it. */
  start(): void {
    if (this.#ended) return;
    this.#request.on('data', this.#take);
    this.#request.on('end', this.#end);
  }

  /**
   * The caller is authorized: reads the body without the early bound. Resolves when it can be passed on, or must be refused.
   * @param subject whose memory it counts as
   */
  admit(subject: string): Promise<RequestBody | Refusal> | RequestBody | Refusal {
    this.#admitted = true;
    if (this.#refused === null && !this.#share.claim(subject)) this.#giveUp(full());
    if (this.#ended || this.#mayFlow() || this.#refused !== null) return this.#body();
    this.#watchPace();
    if (this.#request.isPaused()) this.#request.resume();
    const ready = new Promise<void>((resolve) => {
      this.#ready = resolve;
    });
    // Not in the event handler: an exception there (a body that does not fit into memory) would end the process.
    return ready.then(() => this.#body());
  }

  /** Refuses the body once the bytes of the last 20 seconds are too few: it holds its memory for as long as it takes. */
  #watchPace(): void {
    const lengths = [this.#length];
    this.#pace = setInterval(() => {
      lengths.push(this.#length);
      if (lengths.length <= PACE_SAMPLES) return;
      const before = lengths.shift() ?? 0;
      if (this.#length - before < LEAST_PACE.bytes) this.#giveUp(refusal('request-too-slow'));
    }, LEAST_PACE.milliseconds / PACE_SAMPLES);
    this.#pace.unref();
    this.#request.once('close', () => this.#stopPace());
  }

  #stopPace(): void {
    if (this.#pace !== null) clearInterval(this.#pace);
    this.#pace = null;
  }

  readonly #take = (chunk: Buffer): void => {
    if (!this.#share.take(chunk.length + CHUNK_OVERHEAD)) return this.#giveUp(full());
    this.#chunks.push(chunk);
    this.#length += chunk.length;
    this.#firstByte ??= firstByte(chunk);
    if (!this.#admitted) {
      if (this.#length >= EARLY_BYTES) this.#request.pause();
    } else if (this.#mayFlow()) this.#ready?.();
  };

  readonly #end = (): void => {
    this.#ended = true;
    this.#ready?.();
  };

  /** A body that does not fit into memory, or comes too slowly, is not buffered: the rest is discarded. */
  #giveUp(why: Refusal): void {
    this.#refused = why;
    this.#chunks.length = 0;
    this.#share.release();
    this.#request.off('data', this.#take);
    this.#ready?.();
  }

  #body(): RequestBody | Refusal {
    this.#stopPace();
    if (this.#refused !== null) return this.#refused;
    return this.#ended ? this.#whole() : this.#flow();
  }

  #whole(): RequestBody {
    if (this.#length > HELD_BYTES) return { kind: 'long', parts: this.#chunks, length: this.#length };
    const [first, ...more] = this.#chunks;
    if (first === undefined) return NO_BODY;
    return { kind: 'whole', bytes: more.length === 0 ? first : Buffer.concat(this.#chunks, this.#length) };
  }

  /** Whether enough has arrived that it need not be buffered, and its first byte shows that it is no JSON object. */
  #mayFlow(): boolean {
    return (
      this.#length >= HELD_BYTES && this.#firstByte !== BRACE && this.#firstByte !== SOLIDUS && this.#firstByte !== HASH
    );
  }

  #flow(): RequestBody {
    const request = this.#request;
    request.off('data', this.#take);
    request.off('end', this.#end);
    request.pause();
    const stream = new PassThrough({ highWaterMark: 256 * 1024 });
    // It is not read until the call is recorded, and its caller may leave before; a later reader then receives that error, too.
    stream.on('error', () => {});
    for (const chunk of this.#chunks) stream.write(chunk);
    this.#chunks.length = 0;
    request.pipe(stream);
    stream.once('close', () => this.#share.release());
    // An aborted request never ends its pipe; an upstream that stops reading must not block the connection.
    request.once('close', () => {
      if (!request.complete) stream.destroy(new Error('the caller left before its body was whole'));
    });
    stream.once('close', () => {
      request.unpipe(stream);
      request.resume();
    });
    return { kind: 'flowing', stream };
  }
}

const full = (): Refusal => refusal('bodies-full', { headers: { 'retry-after': '1' } });

const BRACE = 0x7b;
/** Comments, which may precede an object. */
const SOLIDUS = 0x2f;
const HASH = 0x23;

/** JSON5's blanks, and the bytes of byte order marks and of wide characters, in every encoding. */
const BEFORE_JSON: ReadonlySet<number> = new Set([
  ...Buffer.from(
    ' \t\n\r\v\f\0\u00a0\u1680\u2000\u2001\u2002\u2003\u2004\u2005\u2006\u2007\u2008\u2009\u200a\u2028\u2029\u202f\u205f\u3000\ufeff',
  ),
  0xfe,
  0xff,
]);

/** The first byte that can be of the JSON itself. */
function firstByte(chunk: Buffer): number | null {
  for (const byte of chunk) if (!BEFORE_JSON.has(byte)) return byte;
  return null;
}
