/** A parameter of a statement: text as the server reads it, or bytes. */
export type Parameter = string | number | bigint | Buffer | null;

const PAGE = 64 * 1024;
/** Minimum free space for starting another message in a page. */
const LITTLE = 4 * 1024;
/** Past this length a text's bytes are counted instead of estimated. */
const LONG = 4 * 1024;
const MOST_BYTES_OF_A_UNIT = 3;

const [PARSE, BIND, EXECUTE, SYNC, QUERY] = [0x50, 0x42, 0x45, 0x53, 0x51];
const EXECUTE_ALL_AND_SYNC = Buffer.from([EXECUTE, 0, 0, 0, 9, 0, 0, 0, 0, 0, SYNC, 0, 0, 0, 4]);

/**
 * Writes messages of PostgreSQL's protocol 3 one after the other into pages, so that all messages of a request leave in one
 * write. The used part of a page is never overwritten.
 */
export class RequestBuffer {
  #page = Buffer.allocUnsafe(PAGE);
  /** The start of the pending bytes, and the position of the next one. */
  #from = 0;
  #at = 0;
  /** Of the message that is being written, from `#from`: pages may change meanwhile. */
  #lengthAt = 0;

  /** Prepares a statement under a name. */
  parse(name: string, text: string): void {
    this.#begin(PARSE);
    this.#string(name);
    this.#string(text);
    this.#int16(0);
    this.#end();
  }

  /** Runs a prepared statement, and ends its transaction unless it is inside another. */
  execute(name: string, parameters: readonly Parameter[]): void {
    this.#begin(BIND);
    this.#string('');
    this.#string(name);
    this.#formats(parameters);
    this.#int16(parameters.length);
    for (const parameter of parameters) this.#parameter(parameter);
    this.#int16(0);
    this.#end();
    this.#reserve(EXECUTE_ALL_AND_SYNC.length);
    this.#page.set(EXECUTE_ALL_AND_SYNC, this.#at);
    this.#at += EXECUTE_ALL_AND_SYNC.length;
  }

  /** Several statements without parameters. */
  query(text: string): void {
    this.#begin(QUERY);
    this.#string(text);
    this.#end();
  }

  /** The bytes written since the last call. */
  take(): Buffer {
    const taken = this.#page.subarray(this.#from, this.#at);
    this.#from = this.#at;
    if (this.#page.length - this.#at < LITTLE) this.#turn(PAGE);
    return taken;
  }

  #formats(parameters: readonly Parameter[]): void {
    if (!parameters.some((parameter) => Buffer.isBuffer(parameter))) {
      this.#int16(0); // all are text
      return;
    }
    this.#int16(parameters.length);
    for (const parameter of parameters) this.#int16(Buffer.isBuffer(parameter) ? 1 : 0);
  }

  #parameter(parameter: Parameter): void {
    if (parameter === null) {
      this.#int32(-1);
      return;
    }
    if (Buffer.isBuffer(parameter)) {
      this.#int32(parameter.length);
      this.#reserve(parameter.length);
      this.#at += parameter.copy(this.#page, this.#at);
      return;
    }
    const text = typeof parameter === 'string' ? parameter : String(parameter);
    this.#reserve(4 + mostBytes(text));
    const length = this.#page.write(text, this.#at + 4, 'utf8');
    this.#page.writeInt32BE(length, this.#at);
    this.#at += 4 + length;
  }

  #begin(kind: number): void {
    this.#reserve(5);
    this.#page[this.#at] = kind;
    this.#lengthAt = this.#at + 1 - this.#from;
    this.#at += 5;
  }

  #end(): void {
    const lengthAt = this.#from + this.#lengthAt;
    this.#page.writeInt32BE(this.#at - lengthAt, lengthAt);
  }

  #string(text: string): void {
    this.#reserve(mostBytes(text) + 1);
    this.#at += this.#page.write(text, this.#at, 'utf8');
    this.#page[this.#at] = 0;
    this.#at += 1;
  }

  #int16(value: number): void {
    this.#reserve(2);
    this.#at = this.#page.writeInt16BE(value, this.#at);
  }

  #int32(value: number): void {
    this.#reserve(4);
    this.#at = this.#page.writeInt32BE(value, this.#at);
  }

  #reserve(bytes: number): void {
    if (this.#page.length - this.#at < bytes) this.#turn((this.#at - this.#from + bytes) * 2);
  }

  /** Continues in a new page, with the pending bytes. */
  #turn(bytes: number): void {
    const page = Buffer.allocUnsafe(Math.max(PAGE, bytes));
    this.#at = this.#page.copy(page, 0, this.#from, this.#at);
    this.#page = page;
    this.#from = 0;
  }
}

function mostBytes(text: string): number {
  return text.length < LONG ? text.length * MOST_BYTES_OF_A_UNIT : Buffer.byteLength(text);
}
