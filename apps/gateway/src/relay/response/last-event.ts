import { envelopeOf, type Refusal } from '@gateway/contract';
import type { Framing } from '@gateway/secrets';

/** Characters in which the first event shows whether it has a name; comments may precede it. */
const BEGINNING = 4096;
const NAME = /^\ufeff?event:/m;

/** The event that ends a stream before a secret, in the form of the previous events: clients ignore other forms. */
export class LastEvent {
  readonly #framing: Framing;
  #begun = '';

  constructor(framing: Framing) {
    this.#framing = framing;
  }

  /** Sees bytes of the stream. */
  see(chunk: Buffer): void {
    if (this.#begun.length < BEGINNING) this.#begun += chunk.toString('utf8', 0, BEGINNING);
  }

  saying(refused: Refusal): Buffer {
    const payload = JSON.stringify(envelopeOf(refused));
    if (this.#framing === 'ndjson') return Buffer.from(`${payload}\n`);
    return Buffer.from(`${NAME.test(this.#begun) ? 'event: error\n' : ''}data: ${payload}\n\n`);
  }
}
