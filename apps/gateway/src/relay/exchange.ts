import type { ServerResponse } from 'node:http';
import type { Refusal } from '@gateway/contract';
import type { Finding } from '@gateway/secrets';
import type { Inspector } from '../inspection/inspectors.ts';
import type { Report } from '../process/report.ts';
import { TURNS } from '../process/turns.ts';
import type { CallTimes } from '../telemetry/gateway-metrics.ts';
import type { CallTrace } from '../telemetry/tracer.ts';
import type { UpstreamResults } from '../upstream/results.ts';
import { HeldAnswer, type HoldBudget, PassingAnswer } from './response/held.ts';
import { canInspect, headerOf, InspectedAnswer } from './response/inspected.ts';
import { type Answer, type AnswerHead, type CallerAnswer, framingOf, LastEvent } from './response/last-event.ts';
import { type KeyMask, MaskedAnswer, maskHead, withMask } from './response/mask-scanner.ts';
import { Accounting, type AccountingPorts } from './steps/account.ts';
import type { Exchange } from './steps/forward.ts';
import type { Recorded } from './steps/record.ts';
import { Meter } from './usage/meter.ts';

export interface ExchangePorts extends AccountingPorts {
  readonly hold: HoldBudget | null;
  readonly idleTimeout: number;
  readonly report: Report;
  /** Takes how the provider answered. */
  readonly upstreamResults: Pick<UpstreamResults, 'add'>;
  /** Null where nothing is measured. */
  readonly times: CallTimes | null;
}

export interface ExchangeParts {
  /** Body as sent; null where it was not buffered. */
  readonly sent: Buffer | null;
  /** What looks for secrets in the answer; null where nothing does. */
  readonly inspector: Inspector | null;
  /** Takes what is found in the answer. */
  readonly found: (findings: readonly Finding[]) => void;
  /** Takes a refusal into the log. @returns what to answer. */
  readonly recordRefusal: (refused: Refusal) => Refusal;
  /** Takes the provider's key out of the answer; null where it has none. */
  readonly keyMask: KeyMask | null;
  /** The span of the call; null where its caller requested none. */
  readonly trace: CallTrace | null;
}

/** The processing of a call's answer: inspection, metering, buffering where required, and accounting. */
export class CallExchange implements Exchange {
  readonly #response: ServerResponse;
  readonly #ports: ExchangePorts;
  readonly #inspector: Inspector | null;
  readonly #meter: Meter;
  readonly #accounting: Accounting;
  readonly #found: (findings: readonly Finding[]) => void;
  readonly #recordRefusal: (refused: Refusal) => Refusal;
  readonly #keyMask: KeyMask | null;
  readonly #trace: CallTrace | null;
  readonly #provider: string;
  #held = false;
  #keyMet = false;
  readonly #recorded: Recorded;
  /** The provider's answer; null until it arrives. */
  #status: number | null = null;
  #isEnded = false;
  readonly #leftAt = performance.now();

  constructor(
    recorded: Recorded,
    ports: ExchangePorts,
    { sent, inspector, found, recordRefusal, keyMask, trace }: ExchangeParts,
  ) {
    const { caller, method, rest } = recorded.accepted;
    this.#response = caller.response;
    this.#recorded = recorded;
    this.#ports = ports;
    this.#inspector = inspector;
    this.#meter = new Meter(method, rest, sent);
    this.#accounting = new Accounting(recorded, this.#meter, ports);
    this.#found = found;
    this.#recordRefusal = recordRefusal;
    this.#keyMask = keyMask;
    this.#trace = trace;
    this.#provider = recorded.resolved.endpoint.provider.slug;
  }

  now(): Promise<boolean> {
    return this.#accounting.now();
  }

  later(kept: () => void): void {
    this.#accounting.later(kept);
  }

  answer(given: AnswerHead, streaming: boolean, decoded: boolean, drained: () => void, stop: () => void): Answer {
    this.#held = this.#ports.hold !== null && !streaming;
    const open = (own: AnswerHead): CallerAnswer => this.#open(own, streaming, decoded, drained);
    const mask = this.#keyMask;
    const head = mask === null ? given : maskHead(given, mask);
    const inner = this.#inspected(head, streaming, open, stop);
    return mask === null ? inner : new MaskedAnswer(inner, mask, this.#reportKey);
  }

  #inspected(head: AnswerHead, streaming: boolean, open: (own: AnswerHead) => CallerAnswer, stop: () => void): Answer {
    const [inspector, mask] = [this.#inspector, this.#keyMask];
    if (inspector === null || !canInspect(head)) return open(head);
    const onClose = (work: () => void): void => void this.#response.once('close', work);
    const own =
      mask === null ? inspector : { ...inspector, scanner: withMask(inspector.scanner, mask.key, this.#reportKey) };
    const mayRewrite = mask !== null;
    return new InspectedAnswer({
      head,
      streaming,
      inspector: own,
      mayRewrite,
      open,
      stop,
      onClose,
      found: this.#found,
    });
  }

  /** The operator gets one report for each call; the caller sees asterisks. */
  readonly #reportKey = (): void => {
    if (this.#keyMet) return;
    this.#keyMet = true;
    this.#ports.report(`The provider "${this.#provider}" repeated its own key in an answer. The key was masked.`);
  };

  headed(status: number, eventStream: boolean): void {
    if (this.#status === null) {
      const { name, provider } = this.#recorded.resolved.endpoint;
      this.#trace?.answered(status);
      this.#ports.times?.answered(performance.now() - this.#leftAt, name, provider.slug);
    }
    this.#status = status;
    this.#meter.head(status, eventStream);
  }

  ended(fault: string | null): void {
    // A caller that left before the provider answered has no exchange to report.
    if (this.#isEnded || (this.#status === null && fault === null)) return;
    this.#isEnded = true;
    const { decisionId, resolved } = this.#recorded;
    const { identity } = resolved.identified;
    this.#ports.upstreamResults.add({
      decisionId,
      at: this.#ports.clock(),
      endpoint: resolved.endpoint.name,
      provider: resolved.endpoint.provider.slug,
      status: this.#status,
      fault: fault ?? this.#errorInside(),
      keyId: identity.kind === 'key' ? (resolved.facts.account?.key?.id ?? null) : null,
    });
  }

  /** A failure of the provider that its status does not show. */
  #errorInside(): string | null {
    const codes = this.#meter.failure;
    if (codes === null) return null;
    return `The provider answered with status ${this.#status} and an error inside${codes === '' ? '' : ` (${codes})`}.`;
  }

  passed(chunk: Buffer): void {
    this.#meter.push(chunk);
  }

  rest(): Generator<undefined, void> | null {
    return this.#meter.rest();
  }

  interrupted(): void {
    this.#accounting.interrupted(this.#isDelivered);
  }

  cutOff(fault: string | null, isRecorded: boolean): void {
    const isDelivered = this.#isDelivered;
    const settle = (): void => {
      this.ended(fault);
      if (isRecorded) this.#accounting.interrupted(isDelivered);
    };
    const rest = this.#meter.rest();
    if (rest === null) settle();
    else TURNS.run(rest).then(settle, settle);
  }

  get #isDelivered(): boolean {
    return !this.#held || this.#response.headersSent;
  }

  refused(refused: Refusal): Refusal {
    return this.#recordRefusal(refused);
  }

  fault(error: Error): void {
    this.#ports.report(`Relaying an answer failed inside the gateway: ${error.message}`, 'error');
  }

  #open(head: AnswerHead, streaming: boolean, decoded: boolean, drained: () => void): CallerAnswer {
    const { hold, idleTimeout } = this.#ports;
    const framing = streaming ? framingOf(headerOf(head, 'content-type') ?? '') : null;
    const last = framing === null ? null : new LastEvent(framing);
    const passing = (promptHead: boolean): PassingAnswer =>
      new PassingAnswer(this.#response, head, { promptHead, idleTimeout, drained, last });
    if (hold === null || streaming) return passing(streaming && !decoded);
    return new HeldAnswer(this.#response, head, hold, () => passing(false));
  }
}
