import type { IncomingMessage } from 'node:http';
import { PassThrough, type Readable } from 'node:stream';
import { inUtf8 } from './utf8.ts';

/** A body as the corridor hands it on. */
export type RequestBody =
  | { readonly kind: 'whole'; readonly bytes: Buffer }
  /** A large body that is no JSON object: it leaves unchanged, so it need not be held. */
  | { readonly kind: 'flowing'; readonly stream: Readable };

const NO_BYTES = Buffer.alloc(0);
const NO_BODY: RequestBody = { kind: 'whole', bytes: NO_BYTES };

/** Bytes that are taken before it is known whether the caller may call at all. */
const EARLY_BYTES = 1024 * 1024;

/** Bytes a body has to have before it may flow: a shorter one can be refused whole where it carries a secret. */
export const HELD_BYTES = 16 * 1024 * 1024;

/**
 * Takes a request's body while the checks go on. A body that may be one JSON object is held whole, however long, because
 * its `model` can be replaced only once its last byte has shown it to be JSON (specification, Relay rule 6; there is no
 * limit of size). Until `admit` is called, at most about `EARLY_BYTES` are taken from a caller who may turn out to be nobody.
 */
export class BodyIntake {
  readonly #request: IncomingMessage;
  readonly #chunks: Buffer[] = [];
  #length = 0;
  #admitted = false;
  #ended = false;
  /** The first byte that can be of JSON; null as long as none came. */
  #firstByte: number | null = null;
  /** Told once what `admit` waits for is there. */
  #ready: (() => void) | null = null;

  constructor(request: IncomingMessage, hasBody: boolean) {
    this.#request = request;
    if (!hasBody) this.#ended = true;
  }

  /** Begins to read. Apart from the constructor, so that a caller who waits for `100 Continue` is not read before it. */
  start(): void {
    if (this.#ended) return;
    this.#request.on('data', this.#take);
    this.#request.on('end', this.#end);
  }

  /** The caller may call: take the body without the early bound. Resolves when it can be handed on. */
  admit(): Promise<RequestBody> | RequestBody {
    this.#admitted = true;
    if (this.#ended || this.#mayFlow()) return this.#body();
    if (this.#request.isPaused()) this.#request.resume();
    const ready = new Promise<void>((resolve) => {
      this.#ready = resolve;
    });
    // Not where the event is heard: what fails there (a body that does not fit into memory) would end the process.
    return ready.then(() => this.#body());
  }

  readonly #take = (chunk: Buffer): void => {
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

  #body(): RequestBody {
    return this.#ended ? this.#whole() : this.#flow();
  }

  #whole(): RequestBody {
    const [first, ...more] = this.#chunks;
    if (first === undefined) return NO_BODY;
    return { kind: 'whole', bytes: inUtf8(more.length === 0 ? first : Buffer.concat(this.#chunks, this.#length)) };
  }

  /** Whether so much has come that it need not be held, and its first byte shows that it is no JSON object. */
  #mayFlow(): boolean {
    return this.#length >= HELD_BYTES && this.#firstByte !== BRACE;
  }

  #flow(): RequestBody {
    const request = this.#request;
    request.off('data', this.#take);
    request.off('end', this.#end);
    request.pause();
    const stream = new PassThrough({ highWaterMark: 256 * 1024 });
    // Nobody reads it until the call is recorded, and its caller may leave before; whoever reads it then hears of that, too.
    stream.on('error', () => {});
    for (const chunk of this.#chunks) stream.write(chunk);
    this.#chunks.length = 0;
    request.pipe(stream);
    // An aborted request never ends its pipe; an upstream that wants no more must not block the connection.
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

const BRACE = 0x7b;

/** Whether a whole body may be a JSON object, by its first byte. */
export function mayBeObject(bytes: Buffer): boolean {
  return firstByte(bytes) === BRACE;
}

/** JSON whitespace, and the bytes of byte order marks and of wide characters, in every encoding. */
const BEFORE_JSON: ReadonlySet<number> = new Set([0x20, 0x09, 0x0a, 0x0d, 0xef, 0xbb, 0xbf, 0xfe, 0xff, 0x00]);

/** The first byte that can be of the JSON itself. */
function firstByte(chunk: Buffer): number | null {
  for (const byte of chunk) if (!BEFORE_JSON.has(byte)) return byte;
  return null;
}
