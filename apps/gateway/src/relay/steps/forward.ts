import { type Refusal, refusal } from '@gateway/contract';
import type { AnswerHandler, UpstreamExchange } from '../../upstream/client.ts';
import { breakSentence, failureSentence } from '../../upstream/failure.ts';
import type { Upstream } from '../../upstream/upstreams.ts';
import type { Interruption } from '../request/caller.ts';
import { headersToCaller } from '../request/headers.ts';
import type { LeavingBody } from '../request/intake.ts';
import { BodyRefused } from '../request/windows.ts';
import type { Answer, AnswerHead, Settlement, Work } from '../response/last-event.ts';
import { createDecoder, type Decoder, type KeyMask } from '../response/mask-scanner.ts';
import { afterWork, PacedInput } from '../response/paced.ts';
import type { Recorded } from './record.ts';

/** The outgoing request and its route. */
export interface Outbound {
  readonly upstream: Upstream;
  readonly clientCertificate: boolean;
  readonly headers: readonly string[];
  readonly body: LeavingBody;
  /** Whether the caller sent `stream: true` in a JSON body. */
  readonly streamAsked: boolean;
  /** Removes the provider's key from every answer; null without a key. */
  readonly keyMask: KeyMask | null;
  /** Takes over where no byte of the request could be sent, with the cause; null: the caller is refused. */
  readonly unsent: ((sentence: string) => void) | null;
  /** Why an earlier attempt could not be sent; null for the first one. */
  readonly earlier: string | null;
}

/** The events of a running exchange. */
export interface Exchange extends Settlement {
  /** Makes the way to the caller. @param streaming whether the answer is relayed as it arrives (Relay rule 9). */
  answer(head: AnswerHead, streaming: boolean, decoded: boolean, drained: () => void, stop: () => void): Answer;
  /** The provider's head has arrived. */
  headed(status: number, eventStream: boolean): void;
  /** Bytes of the answer, decoded. */
  passed(chunk: Buffer): void;
  /** The reading that is left of an answer that has arrived whole; null for none. */
  rest(): Generator<undefined, void> | null;
  /** The answer ended before it was whole, by the provider. */
  interrupted(): void;
  /**
   * The gateway or the caller ended the call: what arrived of a long answer is read in turns first.
   * @param isRecorded whether it leaves a record.
   */
  cutOff(fault: string | null, isRecorded: boolean): void;
  /** The provider sends nothing more. @param fault why it did not answer completely; null where it did, or no caller waits. */
  ended(fault: string | null): void;
  /** The body turned out to be one that may not leave, while it was leaving: the refusal to answer with. */
  refused(refused: Refusal): Refusal;
  /** A fault of ours inside the exchange. */
  fault(error: Error): void;
}

/** Hints of one answer that are forwarded. They wait in memory for a slow caller, and nothing pauses the provider. */
const MOST_HINTS = 16;

/** Interim answers before one answer, and the bytes of their headers: each takes work, and nothing else limits them. */
const MOST_INTERIM = 32;
const MOST_INTERIM_BYTES = 64 * 1024;
const TOO_MUCH_INTERIM = `The provider sent more than ${MOST_INTERIM} interim answers, or more than ${MOST_INTERIM_BYTES} bytes of them.`;

/**
 * Relays a recorded call and its answer, byte for byte within the header rules (relay-3, relay-9, relay-16). Takes
 * only what `record` made, so nothing unrecorded can leave.
 */
export function forward(recorded: Recorded, outbound: Outbound, exchange: Exchange): void {
  const { caller, method, rest } = recorded.accepted;
  const relaying = new Relaying(recorded, outbound, exchange);
  caller.onInterruption((cause) => relaying.interrupt(cause));
  relaying.send(method, rest);
}

/** Takes the answer of one exchange. */
class Relaying implements AnswerHandler {
  readonly #recorded: Recorded;
  readonly #outbound: Outbound;
  readonly #exchange: Exchange;
  #upstream: UpstreamExchange | null = null;
  #answer: Answer | null = null;
  #decoder: Decoder | null = null;
  /** The answer's bytes, decoded. */
  readonly #input = new PacedInput({
    take: (piece) => this.#deliver(piece),
    resume: () => this.#resume(),
    fail: (error) => this.#fail(error),
  });
  #hints = 0;
  #interims = 0;
  #interimBytes = 0;
  #over = false;

  constructor(recorded: Recorded, outbound: Outbound, exchange: Exchange) {
    this.#recorded = recorded;
    this.#outbound = outbound;
    this.#exchange = exchange;
  }

  send(method: string, rest: string): void {
    const { body, upstream, headers } = this.#outbound;
    const path = upstream.target(rest);
    const leaving = body.kind === 'flowing' ? body.stream : body.bytes.length === 0 ? null : body.bytes;
    const exchange = upstream.client.send({ path, method, headers, body: leaving }, this);
    if (this.#over) exchange.abort();
    this.#upstream = exchange;
  }

  interim(status: number, headers: readonly string[]): void {
    if (this.#over) return;
    this.#interims += 1;
    this.#interimBytes += headers.reduce((sum, text) => sum + text.length, 0);
    if (this.#interims > MOST_INTERIM || this.#interimBytes > MOST_INTERIM_BYTES) {
      this.#abort();
      this.#exchange.ended(TOO_MUCH_INTERIM);
      return this.#refuseUnreachable(TOO_MUCH_INTERIM);
    }
    // Other interim answers are of the hop (RFC 9110 section 15.2).
    if (status === 103) this.#hint(headers);
  }

  head(status: number, reason: string, headers: readonly string[]): void {
    if (this.#over) return;
    try {
      this.#begin(status, reason, headers);
    } catch (error) {
      this.#fail(error);
    }
  }

  data(bytes: Buffer): boolean {
    if (this.#over) return true;
    try {
      return this.#decoder === null ? this.#input.push(bytes) : this.#decoder.write(bytes);
    } catch (error) {
      this.#fail(error);
      return true;
    }
  }

  end(): void {
    if (this.#over) return;
    try {
      if (this.#decoder === null) this.#input.finish(this.#complete);
      else this.#decoder.end();
    } catch (error) {
      this.#fail(error);
    }
  }

  failed(error: Error, isUnsent: boolean): void {
    if (this.#over) return;
    this.#decoder?.destroy();
    const refused = error instanceof BodyRefused ? this.#exchange.refused(error.refused) : null;
    if (this.#answer !== null) return this.#input.finish(() => this.#breakOff(breakSentence(error)));
    this.#over = true;
    if (refused !== null) return this.#refuse(refused);
    const { upstream, clientCertificate, keyMask, unsent, earlier } = this.#outbound;
    const cause = failureSentence(error, upstream, clientCertificate);
    const sentence = keyMask?.text(cause) ?? cause;
    if (isUnsent && unsent !== null) {
      this.#exchange.ended(sentence);
      return unsent(sentence);
    }
    const whole = earlier === null ? sentence : `${earlier} The standby: ${sentence}`;
    this.#exchange.ended(whole);
    this.#refuseUnreachable(whole);
  }

  /** The provider broke off. Received data first goes to the caller: it counts as delivered. */
  #breakOff(sentence: string): Work | null {
    if (this.#over) return null;
    this.#over = true;
    this.#exchange.ended(sentence);
    return this.#last(
      () => this.#answer?.breakOff() ?? null,
      () => this.#exchange.interrupted(),
    );
  }

  /** The caller left or was revoked, or the call's cap is reached: the upstream call ends now, in any phase. */
  interrupt(cause: Interruption): void {
    if (this.#over) return;
    this.#abort();
    const fault = cause === 'cap' ? 'The duration cap of the call was reached.' : null;
    // A call that the cap ended before the provider answered was never answered: it leaves no record.
    this.#exchange.cutOff(fault, cause !== 'cap' || this.#answer !== null);
  }

  #begin(status: number, reason: string, raw: readonly string[]): void {
    const { raw: kept, contentLength, codings, eventStream, buffering } = headersToCaller(raw);
    const bodyless = status === 204 || status === 304 || this.#recorded.accepted.method === 'HEAD';
    const streaming = this.#outbound.streamAsked || eventStream;
    const decode = codings.length > 0 && !bodyless;
    if (contentLength !== null && !streaming && codings.length === 0 && status !== 204) {
      kept.push('content-length', contentLength);
    }
    if (eventStream && !buffering) kept.push('X-Accel-Buffering', 'no');
    this.#exchange.headed(status, eventStream);
    const drained = (): void => this.#input.drained();
    const stop = (): void => this.#stop();
    this.#answer = this.#exchange.answer({ status, reason, headers: kept }, streaming, decode, drained, stop);
    if (!decode) return;
    this.#decoder = createDecoder(codings, {
      data: (chunk) => this.#over || this.#input.push(chunk),
      end: () => this.#input.finish(this.#complete),
      error: (error) => this.#undecodable(error.message),
      drained: () => this.#upstream?.resume(),
    });
    if (this.#decoder === null)
      this.#undecodable(`its content-encoding (${codings.join(', ').slice(0, 100)}) is not known here`);
  }

  #deliver(chunk: Buffer): boolean | Work {
    this.#exchange.passed(chunk);
    return this.#answer?.write(chunk) ?? true;
  }

  /** Everything that was read is taken. */
  #resume(): void {
    if (this.#decoder === null) this.#upstream?.resume();
    else this.#decoder.resume();
  }

  /** After the caller is answered, the provider's data is not needed. */
  #stop(): void {
    if (this.#over) return;
    this.#abort();
    this.#exchange.cutOff(null, true);
  }

  readonly #complete = (): Work | null => {
    const rest = this.#exchange.rest();
    return rest === null ? this.#completed() : afterWork(rest, () => this.#completed());
  };

  #completed(): Work | null {
    if (this.#over) return null;
    this.#over = true;
    this.#exchange.ended(null);
    return this.#last(() => this.#answer?.end(this.#exchange) ?? null);
  }

  /** The last work of an answer. A fault of ours in it is answered. */
  #last(end: () => Work | null, then: () => void = () => {}): Work | null {
    try {
      const work = end();
      if (work !== null) return this.#guarded(work, then);
      then();
    } catch (error) {
      this.#unserved(error);
    }
    return null;
  }

  *#guarded(work: Work, then: () => void): Work {
    try {
      yield* work;
      then();
    } catch (error) {
      this.#unserved(error);
    }
    return true;
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
    this.#input.stop();
    this.#decoder?.destroy();
    this.#upstream?.abort();
    const { body } = this.#outbound;
    if (body.kind === 'flowing') body.stream.destroy();
  }

  /** Hints are forwarded while the caller reads. */
  #hint(headers: readonly string[]): void {
    const { response, request } = this.#recorded.accepted.caller;
    const { keyMask } = this.#outbound;
    if (request.httpVersion === '1.0' || response.headersSent || this.#hints === MOST_HINTS) return;
    const links = headers.filter((_, at) => at % 2 === 1 && headers[at - 1]?.toLowerCase() === 'link');
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
