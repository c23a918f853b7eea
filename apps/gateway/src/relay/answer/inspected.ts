import { setImmediate as soon } from 'node:timers/promises';
import { envelopeOf } from '@gateway/contract';
import {
  type BodyReport,
  createEventStream,
  createTextStream,
  type EventStep,
  type EventStream,
  type Finding,
  respond,
} from '@gateway/secrets';
import { blocked } from '../../secrets/detections.ts';
import type { Inspector } from '../../secrets/inspectors.ts';
import { lowerCased } from '../headers.ts';
import type { Answer, AnswerHead, Settlement } from './answer.ts';

/** Most bytes of a plain answer that wait for its end, and are looked into. */
const LONGEST = 1024 * 1024;
/** Answers of more bytes are scanned in slices. */
const AT_ONCE = 256 * 1024;
const OPAQUE = /^\s*(?:image|audio|video|font)\//i;
const SETTLED: Settlement = { now: async () => true, later: () => {} };

export interface InspectedOptions {
  readonly head: AnswerHead;
  readonly streaming: boolean;
  readonly inspector: Inspector;
  /** Makes the way to the caller. */
  readonly open: (head: AnswerHead) => Answer;
  /** Ends the provider's side: nothing more of the answer is wanted. */
  readonly stop: () => void;
  /** Told of everything found. */
  readonly found: (findings: readonly Finding[]) => void;
}

/** Whether an answer of this head is text that can be looked into. */
export function canInspect(head: AnswerHead): boolean {
  return !OPAQUE.test(headerOf(head, 'content-type') ?? '');
}

/**
 * Looks for secrets in an answer on its way to the caller (decisions §10). A plain answer waits for its end, so that it
 * can still be refused; a streamed one is scanned event by event.
 */
export class InspectedAnswer implements Answer {
  readonly #options: InspectedOptions;
  readonly #eventStream: boolean;
  #inner: Answer | null = null;
  #stream: EventStream | null = null;
  #chunks: Buffer[] = [];
  #length = 0;
  #over = false;

  constructor(options: InspectedOptions) {
    this.#options = options;
    const type = headerOf(options.head, 'content-type') ?? '';
    this.#eventStream = /^\s*text\/event-stream\b/i.test(type);
    if (!options.streaming) return;
    const { scanner, stance } = options.inspector;
    const lines = /^\s*application\/(?:x-ndjson|jsonl|jsonlines)\b/i.test(type);
    if (this.#eventStream || lines) this.#stream = createEventStream(scanner, stance, lines ? 'ndjson' : 'sse');
    else this.#stream = createTextStream(scanner, stance);
    this.#inner = options.open(options.head);
  }

  write(chunk: Buffer): boolean {
    if (this.#over) return true;
    if (this.#stream !== null) return this.#pass(this.#stream.push(chunk));
    if (this.#inner !== null) return this.#inner.write(chunk);
    this.#chunks.push(chunk);
    this.#length += chunk.length;
    return this.#length <= LONGEST || this.#letFlow();
  }

  end(settlement: Settlement): void {
    if (this.#over) return;
    if (this.#stream !== null) {
      this.#pass(this.#stream.end());
      if (!this.#over) this.#inner?.end(settlement);
      return;
    }
    if (this.#inner !== null) return this.#inner.end(settlement);
    this.#whole(
      (answer) => answer.end(settlement),
      () => settlement.later(),
    );
  }

  breakOff(): void {
    if (this.#over) return;
    if (this.#stream !== null) {
      this.#pass(this.#stream.end());
      if (!this.#over) this.#inner?.breakOff();
      return;
    }
    if (this.#inner !== null) return this.#inner.breakOff();
    this.#whole(
      (answer) => answer.breakOff(),
      () => {},
    );
  }

  refuse(refused: Parameters<Answer['refuse']>[0]): void {
    if (this.#over) return;
    this.#over = true;
    this.#chunks = [];
    (this.#inner ?? this.#options.open(this.#options.head)).refuse(refused);
  }

  /** The answer is too long to wait for: what came is scanned, the rest passes and is not looked into. */
  #letFlow(): boolean {
    const { inspector, open, head, found, stop } = this.#options;
    const body = Buffer.concat(this.#chunks);
    this.#chunks = [];
    const { findings, mask } = inspector.scanner.scanBody(body, headerOf(head, 'content-type'));
    if (findings.length > 0) found(findings);
    const response = respond(inspector.stance, findings);
    if (response === 'block') {
      this.#over = true;
      stop();
      open(head).refuse(blocked('secret-answered', findings, inspector.stance));
      return true;
    }
    this.#inner = open(response === 'mask' ? withLength(head, null) : head);
    return this.#inner.write(response === 'mask' ? bufferOf(mask()) : body);
  }

  #pass({ bytes, findings, blocked: stops }: EventStep): boolean {
    if (findings.length > 0) this.#options.found(findings);
    const more = bytes.length === 0 || (this.#inner?.write(bufferOf(bytes)) ?? true);
    if (!stops) return more;
    this.#over = true;
    const refused = blocked('secret-answered', findings, this.#options.inspector.stance);
    this.#options.stop();
    if (!this.#eventStream) this.#inner?.refuse(refused);
    else {
      this.#inner?.write(Buffer.from(`data: ${JSON.stringify(envelopeOf(refused))}\n\n`));
      this.#inner?.end(SETTLED);
    }
    return true;
  }

  /** Scans what waited, then lets it go or refuses it. */
  #whole(finish: (answer: Answer) => void, refused: () => void): void {
    this.#over = true;
    const body = this.#chunks.length === 1 ? (this.#chunks[0] as Buffer) : Buffer.concat(this.#chunks);
    this.#chunks = [];
    const { scanner } = this.#options.inspector;
    const type = headerOf(this.#options.head, 'content-type');
    const release = (report: BodyReport): void => this.#release(body, report, finish, refused);
    if (body.length <= AT_ONCE) release(scanner.scanBody(body, type));
    else
      scanner
        .scanBodyInSlices(body, type, () => soon())
        .then(release, () => this.#options.open(this.#options.head).breakOff());
  }

  #release(body: Buffer, { findings, mask }: BodyReport, finish: (answer: Answer) => void, refused: () => void): void {
    const { head, inspector, open, found } = this.#options;
    if (findings.length > 0) found(findings);
    const response = respond(inspector.stance, findings);
    if (response === 'block') {
      refused();
      open(head).refuse(blocked('secret-answered', findings, inspector.stance));
      return;
    }
    const bytes = response === 'mask' ? bufferOf(mask()) : body;
    const answer = open(response === 'mask' ? withLength(head, bytes.length) : head);
    if (bytes.length > 0) answer.write(bytes);
    finish(answer);
  }
}

/** The same bytes as a Buffer, not copied. */
function bufferOf(bytes: Uint8Array): Buffer {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length);
}

function headerOf(head: AnswerHead, name: string): string | undefined {
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
