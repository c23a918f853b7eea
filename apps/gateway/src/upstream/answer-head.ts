/** How the end of a body is found. */
export type Framing = 'none' | 'length' | 'chunked' | 'connection';

/** The head of an answer (RFC 9112 sections 4 to 6, 9.3 and 9.6). */
export interface AnswerHead {
  readonly status: number;
  readonly reason: string;
  /** Flat: [name, value, …]. */
  readonly headers: readonly string[];
  readonly framing: Framing;
  /** Bytes of the body where its framing is `length`. */
  readonly length: number;
  /** Whether the connection may serve another request. */
  readonly keepsAlive: boolean;
  /** Seconds after which the provider closes an idle connection, if it announces them. */
  readonly keepAliveSeconds: number | null;
}

const STATUS_LINE = /^HTTP\/1\.[01] \d{3}(?: [^\r\n]*)?$/;
/** Offsets in a status line. */
const [MINOR_VERSION, STATUS, REASON] = [7, 9, 13];
const NAME = /^[!#$%&'*+.^_`|~\w-]+$/;
const NOT_OF_A_VALUE = /[^\t\x20-\x7e\x80-\xff]/;
const LENGTH = /^(\d+)[\t ]*$/;
const TIMEOUT = /\btimeout=(\d+)/i;
const NOT_ASCII = /[^\0-\x7f]/;
const FRAMING = /^(?:content-length|transfer-encoding)$/i;

const TAB = 0x09;
const SPACE = 0x20;

/** Names that were checked: engines send the same ones again and again. Bounded, because the provider chooses them. */
const KNOWN_NAMES = new Set<string>();

/**
 * @param text without the final empty line, one character per byte
 * @param isToHead whether it answers HEAD, and so has no body
 * @throws ProtocolError
 */
export function parseHead(text: string, isToHead: boolean): AnswerHead {
  let at = text.indexOf('\r\n');
  const line = at < 0 ? text : text.slice(0, at);
  if (!STATUS_LINE.test(line)) throw new ProtocolError('invalid status line');
  const status = Number(line.slice(STATUS, STATUS + 3));
  if (status < 100) throw new ProtocolError();
  const headers: string[] = [];
  let length: number | null = null;
  let coding = '';
  let connection = '';
  let keepAlive = '';
  while (at >= 0) {
    const from = at + 2;
    at = text.indexOf('\r\n', from);
    const end = at < 0 ? text.length : at;
    const colon = text.indexOf(':', from);
    if (colon < 0 || colon >= end) throw new ProtocolError('header without a colon');
    const name = text.slice(from, colon);
    checkName(name);
    const value = valueBetween(text, colon + 1, end);
    headers.push(name, value);
    if (name.length === 10) {
      const lower = name.toLowerCase();
      if (lower === 'connection') connection = joined(connection, value);
      else if (lower === 'keep-alive') keepAlive = joined(keepAlive, value);
    } else if (name.length === 14 && name.toLowerCase() === 'content-length') {
      if (length !== null) throw new ProtocolError('several content-length headers');
      length = lengthOf(value);
    } else if (name.length === 17 && name.toLowerCase() === 'transfer-encoding') coding = joined(coding, value);
  }
  if (length !== null && coding !== '') throw new ProtocolError('content-length and transfer-encoding');
  const isBodyless = isToHead || status < 200 || status === 204 || status === 304;
  const framing = isBodyless ? 'none' : framingOf(coding, length);
  // Where no body is allowed, an announced one may still arrive, and would be read as the next answer.
  const isClear = isBodyless ? !isToHead && (status < 200 || (!length && coding === '')) : framing !== 'connection';
  return {
    status,
    reason: reasonOf(line.slice(REASON)),
    headers,
    framing,
    length: length ?? 0,
    keepsAlive: isClear && staysOpen(line[MINOR_VERSION] === '1', connection),
    keepAliveSeconds: keepAlive === '' ? null : secondsOf(keepAlive),
  };
}

function checkName(name: string): void {
  if (KNOWN_NAMES.has(name)) return;
  if (!NAME.test(name)) throw new ProtocolError('invalid header name');
  if (KNOWN_NAMES.size < 1000 && name.length <= 64) KNOWN_NAMES.add(name);
}

/** Without the blanks before it. */
function valueBetween(text: string, from: number, to: number): string {
  let begin = from;
  while (begin < to && isBlank(text.charCodeAt(begin))) begin += 1;
  const value = text.slice(begin, to);
  if (NOT_OF_A_VALUE.test(value)) throw new ProtocolError('invalid character in a header');
  return value;
}

const isBlank = (code: number): boolean => code === SPACE || code === TAB;

const joined = (before: string, value: string): string => (before === '' ? value : `${before},${value}`);

function lengthOf(value: string): number {
  const length = Number(LENGTH.exec(value)?.[1] ?? Number.NaN);
  if (!Number.isSafeInteger(length)) throw new ProtocolError('invalid content-length');
  return length;
}

const hasToken = (list: string, token: string): boolean =>
  list !== '' && list.split(',').some((one) => one.trim().toLowerCase() === token);

/** Only the last coding shows the end of a body (RFC 9112 section 6.3). */
function framingOf(coding: string, length: number | null): Framing {
  if (coding !== '') return coding.split(',').at(-1)?.trim().toLowerCase() === 'chunked' ? 'chunked' : 'connection';
  return length === null ? 'connection' : 'length';
}

function staysOpen(isVersion11: boolean, connection: string): boolean {
  return isVersion11 ? !hasToken(connection, 'close') : hasToken(connection, 'keep-alive');
}

function secondsOf(keepAlive: string): number | null {
  const digits = TIMEOUT.exec(keepAlive)?.[1];
  return digits === undefined ? null : Number(digits);
}

/** As undici reads it: in UTF-8. */
function reasonOf(text: string): string {
  return NOT_ASCII.test(text) ? Buffer.from(text, 'latin1').toString() : text;
}

/** A line of the trailers, which are discarded. @throws ProtocolError */
export function checkTrailer(line: string): void {
  const colon = line.indexOf(':');
  if (colon < 0) throw new ProtocolError('trailer without a colon');
  const name = line.slice(0, colon);
  checkName(name);
  if (FRAMING.test(name)) throw new ProtocolError(`${name.toLowerCase()} in a trailer`);
  valueBetween(line, colon + 1, line.length);
}

/** What a provider sent is not HTTP/1.1 as RFC 9112 writes it. */
export class ProtocolError extends Error {
  override readonly name = 'ProtocolError';
  /** @param detail of the fault; without one where the message is sufficient. */
  constructor(detail?: string) {
    super(`its answer does not match the HTTP/1.1 protocol${detail === undefined ? '' : ` (${detail})`}`);
  }
}
