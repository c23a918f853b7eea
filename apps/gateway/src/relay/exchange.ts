import type { ServerResponse } from 'node:http';
import type { Refusal } from '@gateway/contract';
import type { Finding } from '@gateway/secrets';
import type { Report } from '../report.ts';
import type { Inspector } from '../secrets/inspectors.ts';
import type { Answer, AnswerHead } from './answer/answer.ts';
import { HeldAnswer, type HoldBudget } from './answer/held.ts';
import { canInspect, InspectedAnswer } from './answer/inspected.ts';
import { PassingAnswer } from './answer/passing.ts';
import { Accounting, type AccountingPorts } from './steps/account.ts';
import type { Exchange } from './steps/forward.ts';
import type { Recorded } from './steps/record.ts';
import { Meter } from './usage/meter.ts';

export interface ExchangePorts extends AccountingPorts {
  readonly hold: HoldBudget | null;
  readonly idleTimeout: number;
  readonly report: Report;
}

/** What a call makes of its answer: inspected, metered, held where it must be, and accounted for. */
export class CallExchange implements Exchange {
  readonly #response: ServerResponse;
  readonly #ports: ExchangePorts;
  readonly #inspector: Inspector | null;
  readonly #meter: Meter;
  readonly #accounting: Accounting;
  readonly #found: (findings: readonly Finding[]) => void;
  readonly #recordRefusal: (refused: Refusal) => Refusal;
  #held = false;

  /**
   * @param sent body as it left; null where it was not held.
   * @param inspector what looks for secrets in the answer; null where nothing does.
   * @param found told of what is found in the answer.
   * @param recordRefusal takes a refusal into the log. @returns what to answer.
   */
  constructor(
    recorded: Recorded,
    sent: Buffer | null,
    ports: ExchangePorts,
    inspector: Inspector | null,
    found: (findings: readonly Finding[]) => void,
    recordRefusal: (refused: Refusal) => Refusal,
  ) {
    const { caller, method } = recorded.accepted;
    this.#response = caller.response;
    this.#ports = ports;
    this.#inspector = inspector;
    this.#meter = new Meter(method, sent);
    this.#accounting = new Accounting(recorded, this.#meter, ports);
    this.#found = found;
    this.#recordRefusal = recordRefusal;
  }

  now(): Promise<boolean> {
    return this.#accounting.now();
  }

  later(kept: () => void): void {
    this.#accounting.later(kept);
  }

  answer(head: AnswerHead, streaming: boolean, decoded: boolean, drained: () => void, stop: () => void): Answer {
    this.#held = this.#ports.hold !== null && !streaming;
    const open = (own: AnswerHead): Answer => this.#open(own, streaming, decoded, drained);
    const inspector = this.#inspector;
    if (inspector === null || !canInspect(head)) return open(head);
    const onClose = (work: () => void): void => void this.#response.once('close', work);
    return new InspectedAnswer({ head, streaming, inspector, open, stop, onClose, found: this.#found });
  }

  headed(status: number, eventStream: boolean): void {
    this.#meter.head(status, eventStream);
  }

  passed(chunk: Buffer): void {
    this.#meter.push(chunk);
  }

  interrupted(): void {
    this.#accounting.interrupted(!this.#held || this.#response.headersSent);
  }

  refused(refused: Refusal): Refusal {
    return this.#recordRefusal(refused);
  }

  fault(error: Error): void {
    this.#ports.report(`Relaying an answer failed inside the gateway: ${error.message}`);
  }

  #open(head: AnswerHead, streaming: boolean, decoded: boolean, drained: () => void): Answer {
    const { hold, idleTimeout } = this.#ports;
    const passing = (promptHead: boolean): PassingAnswer =>
      new PassingAnswer(this.#response, head, { promptHead, idleTimeout, drained });
    if (hold === null || streaming) return passing(streaming && !decoded);
    return new HeldAnswer(this.#response, head, hold, () => passing(false));
  }
}
