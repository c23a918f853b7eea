import { type Refusal, refusal } from '@gateway/contract';
import { type Dispatcher, errors } from 'undici';
import { failureSentence } from '../../upstream/failure.ts';
import type { Upstream } from '../../upstream/upstreams.ts';
import type { Interruption } from '../call/caller.ts';
import { headersToCaller } from '../call/headers.ts';
import type { LeavingBody } from '../request/intake.ts';
import { BodyRefused } from '../request/scanned.ts';
import type { Answer, AnswerHead, Settlement } from '../response/answer.ts';
import { createDecoder, type Decoder } from '../response/decoder.ts';
import type { KeyMask } from '../response/key-mask.ts';
import type { Recorded } from './record.ts';

/** What leaves, and over which way. */
export interface Outbound {
  readonly upstream: Upstream;
  readonly clientCertificate: boolean;
  readonly headers: readonly string[];
  readonly body: LeavingBody;
  /** Whether the caller sent `stream: true` in a JSON body. */
  readonly streamAsked: boolean;
  /** Takes the provider's key out of whatever it answers; null where it has none. */
  readonly keyMask: KeyMask | null;
}

/** What is told of an exchange while it runs. */
export interface Exchange extends Settlement {
  /** Makes the way to the caller. @param streaming whether the answer is relayed as it arrives (Relay rule 9). */
  answer(head: AnswerHead, streaming: boolean, decoded: boolean, drained: () => void, stop: () => void): Answer;
  /** The provider's head has come. */
  headed(status: number, eventStream: boolean): void;
  /** Bytes of the answer, decoded. */
  passed(chunk: Buffer): void;
  /** The answer ended before it was whole, by the provider, the caller or the cap. */
  interrupted(): void;
  /** Nothing more comes of the provider. @param fault why it did not answer, or not to the end; null where it did, or nobody waits. */
  ended(fault: string | null): void;
  /** The body turned out to be one that may not leave, while it was leaving: the refusal to answer with. */
  refused(refused: Refusal): Refusal;
  /** A fault of ours inside the exchange. */
  fault(error: Error): void;
}

const GONE = new Error('the caller is gone');

/** RFC 9110 section 15 knows none beyond; HTTP/1.1 passes them on all the same. */
const HIGHEST_STATUS = 599;

/** Hints of one answer that are passed on. They wait in memory for a caller who takes nothing, and nothing holds their provider back. */
const MOST_HINTS = 16;

/**
 * Relays a recorded call and its answer, byte for byte within the header rules (relay-3, relay-9, relay-16). Takes
 * only what `record` made, so nothing unrecorded can leave.
 */
export function forward(recorded: Recorded, outbound: Outbound, exchange: Exchange): void {
  const { caller, method, rest } = recorded.accepted;
  const relaying = new Relaying(recorded, outbound, exchange);
  caller.onInterruption((cause) => relaying.interrupt(cause));
  const { body, upstream } = outbound;
  try {
    upstream.dispatcher.dispatch(
      {
        path: upstream.target(rest),
        method,
        headers: outbound.headers as string[],
        body: body.kind === 'flowing' ? body.stream : body.bytes.length === 0 ? null : body.bytes,
      },
      relaying,
    );
  } catch (error) {
    relaying.onResponseError(null, error as Error);
  }
}

/** Handler of one dispatch. Undici swallows what its callbacks throw, so none of them may throw. */
class Relaying implements Dispatcher.DispatchHandler {
  readonly #recorded: Recorded;
  readonly #outbound: Outbound;
  readonly #exchange: Exchange;
  #controller: Dispatcher.DispatchController | null = null;
  #answer: Answer | null = null;
  #decoder: Decoder | null = null;
  /** Parts of a streamed answer that one read of the socket brought, often an event each: they go on together, at once. */
  #gathered: Buffer[] | null = null;
  /** The length that the answer was announced with, and the bytes of it that came. */
  #announced: string | null = null;
  #arrived = 0;
  #hints = 0;
  #over = false;

  constructor(recorded: Recorded, outbound: Outbound, exchange: Exchange) {
    this.#recorded = recorded;
    this.#outbound = outbound;
    this.#exchange = exchange;
  }

  onRequestStart(controller: Dispatcher.DispatchController): void {
    this.#controller = controller;
    if (this.#over) controller.abort(GONE);
  }

  onResponseStart(controller: Dispatcher.DispatchController, status: number, headers: unknown, reason?: string): void {
    if (this.#over) return;
    try {
      if (status < 200) this.#hint(status, headers as Record<string, unknown>);
      else this.#begin(status, reason ?? '', controller.rawHeaders as Buffer[]);
    } catch (error) {
      this.#fail(error);
    }
  }

  onResponseData(controller: Dispatcher.DispatchController, chunk: Buffer): void {
    if (this.#over) return;
    this.#arrived += chunk.length;
    try {
      if (this.#gathered !== null) {
        if (this.#gathered.push(chunk) === 1) process.nextTick(this.#release);
        return;
      }
      const more = this.#decoder === null ? this.#deliver(chunk) : this.#decoder.write(chunk);
      if (!more) controller.pause();
    } catch (error) {
      this.#fail(error);
    }
  }

  onResponseEnd(): void {
    this.#release();
    if (this.#over) return;
    try {
      if (this.#decoder === null) this.#complete();
      else this.#decoder.end();
    } catch (error) {
      this.#fail(error);
    }
  }

  onResponseError(_: Dispatcher.DispatchController | null, error: Error): void {
    if (this.#isMiscounted(error)) return this.onResponseEnd();
    this.#release();
    if (this.#over) return;
    this.#over = true;
    this.#decoder?.destroy();
    const refused = error instanceof BodyRefused ? this.#exchange.refused(error.refused) : null;
    if (this.#answer === null) {
      if (refused !== null) return this.#refuse(refused);
      const { upstream, clientCertificate, keyMask } = this.#outbound;
      const sentence = failureSentence(error, upstream, clientCertificate);
      this.#exchange.ended(keyMask?.text(sentence) ?? sentence);
      this.#refuseUnreachable(sentence);
      return;
    }
    this.#exchange.ended('The provider broke its answer off.');
    // First what was held goes on to the caller: it counts as delivered.
    this.#answer.breakOff();
    this.#exchange.interrupted();
  }

  /** Undici reads blanks after a length (RFC 9110 section 5.5) as digits, and has then counted other bytes than were announced. */
  #isMiscounted(error: Error): boolean {
    return error instanceof errors.ResponseContentLengthMismatchError && this.#announced === String(this.#arrived);
  }

  /** The caller left or was revoked, or the cap of the call is reached: the upstream call ends now, in whatever phase it is. */
  interrupt(cause: Interruption): void {
    if (this.#over) return;
    this.#abort();
    this.#exchange.ended(cause === 'cap' ? 'The duration cap of the call was reached.' : null);
    // A call that the cap ended before the provider answered was never answered: it leaves no record.
    if (cause !== 'cap' || this.#answer !== null) this.#exchange.interrupted();
  }

  #begin(status: number, reason: string, raw: readonly Buffer[]): void {
    if (status > HIGHEST_STATUS && this.#recorded.accepted.caller.request.httpVersion === '2.0') {
      this.#abort();
      return this.#refuseUnreachable(`The provider answered with the status ${status}, which HTTP/2 cannot carry.`);
    }
    const { raw: kept, contentLength, codings, eventStream, buffering } = headersToCaller(raw);
    this.#announced = contentLength;
    const bodyless = status === 204 || status === 304 || this.#recorded.accepted.method === 'HEAD';
    const streaming = this.#outbound.streamAsked || eventStream;
    const decode = codings.length > 0 && !bodyless;
    if (contentLength !== null && !streaming && codings.length === 0 && status !== 204) {
      kept.push('content-length', contentLength);
    }
    if (eventStream && !buffering) kept.push('X-Accel-Buffering', 'no');
    this.#exchange.headed(status, eventStream);
    const drained = (): void => this.#resume();
    const stop = (): void => this.#stop();
    this.#answer = this.#exchange.answer({ status, reason, headers: kept }, streaming, decode, drained, stop);
    if (!decode) {
      if (streaming) this.#gathered = [];
      return;
    }
    this.#decoder = createDecoder(codings, {
      data: (chunk) => this.#deliverDecoded(chunk),
      end: () => this.#complete(),
      error: (error) => this.#undecodable(error.message),
      drained: () => this.#controller?.resume(),
    });
    if (this.#decoder === null)
      this.#undecodable(`its content-encoding (${codings.join(', ').slice(0, 100)}) is not known here`);
  }

  readonly #release = (): void => {
    const parts = this.#gathered;
    if (this.#over || parts === null || parts.length === 0) return;
    this.#gathered = [];
    try {
      if (!this.#deliver(parts.length === 1 ? parts[0]! : Buffer.concat(parts))) this.#controller?.pause();
    } catch (error) {
      this.#fail(error);
    }
  };

  #deliver(chunk: Buffer): boolean {
    this.#exchange.passed(chunk);
    return this.#answer?.write(chunk) ?? true;
  }

  #deliverDecoded(chunk: Buffer): boolean {
    if (this.#over) return true;
    try {
      return this.#deliver(chunk);
    } catch (error) {
      this.#fail(error);
      return true;
    }
  }

  /** The caller takes more again. */
  #resume(): void {
    if (this.#decoder === null) this.#controller?.resume();
    else this.#decoder.resume();
  }

  /** What answers the caller wants nothing more of the provider. */
  #stop(): void {
    if (this.#over) return;
    this.#abort();
    this.#exchange.ended(null);
    this.#exchange.interrupted();
  }

  #complete(): void {
    if (this.#over) return;
    this.#over = true;
    this.#exchange.ended(null);
    try {
      this.#answer?.end(this.#exchange);
    } catch (error) {
      this.#unserved(error);
    }
  }

  #undecodable(why: string): void {
    if (this.#over) return;
    this.#abort();
    this.#exchange.ended(`The provider's answer could not be decoded: ${why}.`);
    this.#exchange.interrupted();
    this.#refuseUnreachable(`The provider's answer could not be decoded: ${why}.`);
  }

  #fail(error: unknown): void {
    if (this.#over) {
      this.#exchange.fault(errorOf(error));
      return;
    }
    this.#abort();
    this.#unserved(error);
  }

  /** A fault of ours must end the answer, too: the caller would wait for it until the cap. */
  #unserved(error: unknown): void {
    this.#exchange.fault(errorOf(error));
    if (this.#answer !== null) this.#exchange.interrupted();
    this.#refuseUnreachable('The gateway could not relay the answer.');
  }

  /** A sentence may quote what the provider sent. */
  #refuseUnreachable(message: string): void {
    const { keyMask } = this.#outbound;
    this.#refuse(refusal('provider-unreachable', { details: { message: keyMask?.text(message) ?? message } }));
  }

  #refuse(refused: Refusal): void {
    if (this.#answer === null) this.#recorded.accepted.caller.refuse(refused);
    else this.#answer.refuse(refused);
  }

  #abort(): void {
    this.#over = true;
    this.#decoder?.destroy();
    this.#controller?.abort(GONE);
    const { body } = this.#outbound;
    if (body.kind === 'flowing') body.stream.destroy();
  }

  /** 103 goes on where the caller can take it; other interim answers are of the hop (RFC 9110 section 15.2). */
  #hint(status: number, headers: Record<string, unknown>): void {
    const { response, request } = this.#recorded.accepted.caller;
    const { keyMask } = this.#outbound;
    if (status !== 103 || request.httpVersion === '1.0' || response.headersSent || this.#hints === MOST_HINTS) return;
    const links = [headers['link']].flat().filter((link) => typeof link === 'string');
    if (links.length === 0) return;
    this.#hints += 1;
    try {
      response.writeEarlyHints({ link: links.map((link) => keyMask?.text(link) ?? link) });
    } catch {
      // A link that Node.js cannot write is a hint the caller does without.
    }
  }
}

function errorOf(error: unknown): Error {
  return error instanceof Error ? error : new Error(String(error));
}
