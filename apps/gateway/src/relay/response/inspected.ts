import {
  type BodyReport,
  createEventStream,
  createTextStream,
  createUnnamedStream,
  type EventStep,
  type EventStream,
  type Finding,
  respond,
  withoutTokenLists,
} from '@gateway/secrets';
import { block, type Inspector, isInspectable, MAX_SYNC_SCAN_BYTES, mayMask } from '../../inspection/inspectors.ts';
import { lowerCased } from '../request/headers.ts';
import {
  type Answer,
  type AnswerHead,
  type CallerAnswer,
  framingOf,
  LastEvent,
  type Settlement,
  type Work,
} from './last-event.ts';
import { afterWork } from './paced.ts';

/** Maximum bytes of one delayed plain answer, which can still be refused, and of all such answers together. */
const HELD = 16 * 1024 * 1024;
const HELD_TOGETHER = 128 * 1024 * 1024;
/** Bytes of a plain answer that are scanned without a pause; of the beginning of a long one, in each step. */
const SCANNED_AT_ONCE = 16 * 1024;
const STEP = 4 * 1024;

export interface InspectedOptions {
  readonly head: AnswerHead;
  readonly streaming: boolean;
  readonly inspector: Inspector;
  /** Whether the scanner rewrites texts that contain no secret of the policy's: for the provider's key. */
  readonly mayRewrite: boolean;
  /** Makes the way to the caller. */
  readonly open: (head: AnswerHead) => CallerAnswer;
  /** Ends the provider's side: nothing more of the answer is wanted. */
  readonly stop: () => void;
  /** Runs its work when the caller's side is closed. */
  readonly onClose: (work: () => void) => void;
  /** Called with everything found. */
  readonly found: (findings: readonly Finding[]) => void;
}

/** Whether an answer of this head is text that can be looked into. */
export function canInspect(head: AnswerHead): boolean {
  return isInspectable(headerOf(head, 'content-type'));
}

let heldTogether = 0;

/**
 * Scans an answer for secrets on its way to the caller (relay-32). A plain answer waits for its end, so that it can still be
 * refused. Streamed events are scanned one by one, and so are lines of JSON, which Ollama streams by default. A plain answer too
 * long to wait is scanned during sending: it ends before a secret, or is masked.
 */
export class InspectedAnswer implements Answer {
  readonly #options: InspectedOptions;
  /** What the stream ends with before a secret; null where the answer is not made of events. */
  readonly #last: LastEvent | null;
  #inner: CallerAnswer | null = null;
  #stream: EventStream | null = null;
  /** Delayed bytes: as received, or as sent once it is being scanned. */
  #chunks: Buffer[] = [];
  #length = 0;
  #masked = false;
  /** Some of the answer is on its way to the caller. */
  #begun = false;
  #over = false;

  constructor(options: InspectedOptions) {
    this.#options = options;
    const type = headerOf(options.head, 'content-type') ?? '';
    const { scanner, responsePolicy } = options.inspector;
    const framing = framingOf(type);
    this.#last = framing === null ? null : new LastEvent(framing);
    if (framing !== null) this.#stream = createEventStream(scanner, responsePolicy, framing);
    else if (options.streaming) this.#stream = createUnnamedStream(scanner, responsePolicy);
    if (options.streaming) this.#inner = options.open(options.head);
    else if (framing !== null) options.onClose(() => this.#take());
  }

  write(chunk: Buffer): boolean | Work {
    if (this.#over) return true;
    this.#last?.see(chunk);
    if (this.#stream !== null) return this.#passAll(this.#stream, this.#stream.push(chunk, true));
    this.#chunks.push(chunk);
    this.#length += chunk.length;
    return this.#length <= MAX_SYNC_SCAN_BYTES || this.#beginLong();
  }

  end(settlement: Settlement): Work | null {
    if (this.#over) return null;
    // The provider has answered in full: blocked parts are accounted for, too.
    const refused = (): void => settlement.later(() => {});
    const stream = this.#stream;
    return stream === null
      ? this.#whole((answer, body) => answer.whole(body, settlement), refused)
      : this.#finish(stream, (answer) => answer.end(settlement), refused);
  }

  breakOff(): Work | null {
    if (this.#over) return null;
    const breakOff = (answer: CallerAnswer): null => answer.breakOff();
    const stream = this.#stream;
    if (stream !== null) return this.#finish(stream, breakOff, () => {});
    return this.#whole(
      (answer, body) => {
        if (body.length > 0) answer.write(body);
        breakOff(answer);
      },
      () => {},
    );
  }

  refuse(refused: Parameters<Answer['refuse']>[0]): void {
    if (this.#over) return;
    this.#over = true;
    this.#take();
    (this.#inner ?? this.#options.open(this.#options.head)).refuse(refused);
  }

  #finish(stream: EventStream, finish: (answer: CallerAnswer) => void, refused: () => void): Work | null {
    const passed = this.#passAll(stream, stream.end(true));
    const last = (): null => {
      if (this.#over) refused();
      else this.#finished(finish);
      return null;
    };
    return typeof passed === 'boolean' ? last() : afterWork(passed, last);
  }

  #finished(finish: (answer: CallerAnswer) => void): void {
    const { open, head, mayRewrite } = this.#options;
    if (this.#inner === null) {
      const length = this.#length;
      this.#letGo(open(this.#masked || mayRewrite ? withLength(head, length) : head));
    }
    this.#over = true;
    if (this.#inner !== null) finish(this.#inner);
  }

  /** From here on the answer is scanned as it arrives. */
  *#beginLong(): Work {
    const { inspector, onClose } = this.#options;
    const begun = this.#chunks;
    this.#chunks = [];
    this.#length = 0;
    const stream = createTextStream(inspector.scanner, inspector.responsePolicy);
    this.#stream = stream;
    onClose(() => this.#take());
    let isTaken = true;
    for (const chunk of begun) {
      for (let at = 0; at < chunk.length; at += STEP) {
        if (this.#over) return true;
        isTaken = this.#pass(stream.push(chunk.subarray(at, at + STEP))) && isTaken;
        yield;
      }
    }
    return isTaken;
  }

  #passAll(stream: EventStream, step: EventStep): boolean | Work {
    const isTaken = this.#pass(step);
    return step.paused ? this.#passRest(stream, isTaken) : isTaken;
  }

  *#passRest(stream: EventStream, taken: boolean): Work {
    let isTaken = taken;
    for (;;) {
      yield;
      if (this.#over) return true;
      const step = stream.goOn();
      isTaken = this.#pass(step) && isTaken;
      if (!step.paused) return isTaken;
    }
  }

  #pass({ bytes, findings, blocked: stops }: EventStep): boolean {
    const { found, stop, inspector, open, head } = this.#options;
    if (findings.length > 0) {
      found(findings);
      this.#masked ||= respond(inspector.responsePolicy, findings) !== 'alert';
    }
    // Text before the secret stays here too, where the answer can still be refused whole, in a sentence.
    const whole = stops && !this.#begun && (this.#last === null || this.#inner === null);
    const more = whole || bytes.length === 0 || this.#give(bufferOf(bytes));
    if (!stops) return more;
    this.#over = true;
    this.#take();
    stop();
    const refused = block('secret-answered', findings, inspector.responsePolicy);
    if (this.#inner === null) open(head).refuse(refused);
    else if (this.#last === null) this.#inner.refuse(refused);
    else {
      this.#inner.write(this.#last.saying(refused));
      this.#inner.breakOff();
    }
    return true;
  }

  /** To the caller; for a plain answer that may still be refused, to the buffer. */
  #give(bytes: Buffer): boolean {
    if (this.#inner !== null) {
      this.#begun = true;
      return this.#inner.write(bytes);
    }
    const { open, head, inspector, mayRewrite } = this.#options;
    const { responsePolicy } = inspector;
    this.#chunks.push(bytes);
    this.#length += bytes.length;
    heldTogether += bytes.length;
    const refusable = responsePolicy.high === 'block' || responsePolicy.medium === 'block';
    if (refusable && this.#length <= HELD && heldTogether <= HELD_TOGETHER) return true;
    return this.#letGo(open(mayMask(inspector) || mayRewrite ? withLength(head, null) : head));
  }

  #letGo(inner: CallerAnswer): boolean {
    const chunks = this.#take();
    this.#inner = inner;
    this.#begun = true;
    let more = true;
    for (const chunk of chunks) more = inner.write(chunk) && more;
    return more;
  }

  /** What waits, which then waits no longer. */
  #take(): readonly Buffer[] {
    const chunks = this.#chunks;
    if (this.#stream !== null && this.#inner === null) heldTogether -= this.#length;
    this.#chunks = [];
    this.#length = 0;
    return chunks;
  }

  /** Scans the delayed bytes, then releases or refuses them. */
  #whole(finish: (answer: CallerAnswer, body: Buffer) => void, refused: () => void): Work | null {
    const body = this.#chunks.length === 1 ? (this.#chunks[0] as Buffer) : Buffer.concat(this.#chunks);
    this.#chunks = [];
    const { head, inspector } = this.#options;
    const type = headerOf(head, 'content-type');
    if (body.length > SCANNED_AT_ONCE)
      return afterReport(inspector.scanner.scanBodyInSteps(body, type), (report) =>
        this.#decide(body, report, finish, refused),
      );
    this.#decide(body, inspector.scanner.scanBody(body, type), finish, refused);
    return null;
  }

  #decide(
    body: Buffer,
    { findings, mask }: BodyReport,
    finish: (answer: CallerAnswer, body: Buffer) => void,
    refused: () => void,
  ): void {
    if (this.#over) return;
    const { head, inspector, open, found } = this.#options;
    this.#over = true;
    if (findings.length > 0) found(findings);
    const response = respond(inspector.responsePolicy, findings);
    if (response === 'block') {
      refused();
      open(head).refuse(block('secret-answered', findings, inspector.responsePolicy));
      return;
    }
    const bytes = response === 'mask' ? bufferOf(withoutTokenLists(mask())) : body;
    finish(open(response === 'mask' ? withLength(head, bytes.length) : head), bytes);
  }
}

function* afterReport(scan: Generator<undefined, BodyReport>, next: (report: BodyReport) => void): Work {
  next(yield* scan);
  return true;
}

/** The same bytes as a Buffer, not copied. */
function bufferOf(bytes: Uint8Array): Buffer {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length);
}

export function headerOf(head: AnswerHead, name: string): string | undefined {
  for (let at = 0; at < head.headers.length; at += 2) {
    if (lowerCased(head.headers[at] ?? '') === name) return head.headers[at + 1];
  }
  return undefined;
}

/** The head with another length; null: without one. */
function withLength(head: AnswerHead, length: number | null): AnswerHead {
  const headers: string[] = [];
  for (let at = 0; at < head.headers.length; at += 2) {
    const name = head.headers[at] ?? '';
    if (lowerCased(name) !== 'content-length') headers.push(name, head.headers[at + 1] ?? '');
    else if (length !== null) headers.push(name, String(length));
  }
  return { ...head, headers };
}
