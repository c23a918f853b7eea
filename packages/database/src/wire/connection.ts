import { createHash, createHmac, pbkdf2, randomBytes, timingSafeEqual } from 'node:crypto';
import type { Duplex } from 'node:stream';
import { promisify } from 'node:util';
import { isReadOnlyFault, readOnlyFault } from '../client/session-settings.ts';
import { ConnectionLost, DatabaseUnavailable, ServerError, unavailable } from '../client/unavailable.ts';
import { type Parameter, RequestBuffer } from './request-buffer.ts';

/** What the server may ask for at most: PostgreSQL's default is 4096, and each costs the gateway time. */
const MOST_ITERATIONS = 1_000_000;
const HASH = 'sha256';
const NO_CHANNEL_BINDING = 'n,,';

const derive = promisify(pbkdf2);
const hmac = (key: Buffer, text: string | Buffer): Buffer => createHmac(HASH, key).update(text).digest();

const BROKEN = 'the server violated the sign-in protocol (SCRAM)';

/** A row as the server wrote it: every value is text. */
export type Row = readonly (string | null)[];

/** Kind and length of a message; the length counts itself. */
const HEAD = 5;
const LEAST_LENGTH = 4;
/** Far above any message of ours: a greater length is invalid. */
const MOST_LENGTH = 256 * 1024 * 1024;

/** Splits a byte stream into whole messages. */
export class ReplyReader {
  /** What was read of the next message, put together once it is whole: a large one comes in thousands of pieces. */
  #pieces: Buffer[] = [];
  #held = 0;
  #needed = HEAD;

  /**
   * @param message is called with each whole message: its kind, and where its content begins and ends.
   * @throws where the bytes cannot be messages
   */
  read(chunk: Buffer, message: (kind: number, data: Buffer, from: number, to: number) => void): void {
    this.#pieces.push(chunk);
    this.#held += chunk.length;
    if (this.#held < this.#needed) return;
    const data = this.#pieces.length === 1 ? chunk : Buffer.concat(this.#pieces);
    let at = 0;
    this.#needed = HEAD;
    while (data.length - at >= HEAD) {
      const length = data.readInt32BE(at + 1);
      if (length < LEAST_LENGTH || length > MOST_LENGTH)
        throw new Error('the server sent something that is not a message');
      const end = at + 1 + length;
      if (end > data.length) {
        this.#needed = 1 + length;
        break;
      }
      message(data[at] ?? 0, data, at + HEAD, end);
      at = end;
    }
    this.#pieces = at < data.length ? [data.subarray(at)] : [];
    this.#held = data.length - at;
  }
}

/**
 * The values of a DataRow.
 * @throws where the row does not end where its message does
 */
export function rowOf(data: Buffer, from: number, to: number): Row {
  const count = data.readInt16BE(from);
  const row: (string | null)[] = [];
  let at = from + 2;
  for (let column = 0; column < count; column += 1) {
    const length = data.readInt32BE(at);
    at += 4;
    if (length < 0) {
      row.push(null);
      continue;
    }
    row.push(data.toString('utf8', at, at + length));
    at += length;
  }
  if (at !== to) throw new Error('the server sent a row that does not end where it says');
  return row;
}

/** The fields of an ErrorResponse, by their letters. */
export function fieldsOf(data: Buffer, from: number, to: number): ReadonlyMap<string, string> {
  const fields = new Map<string, string>();
  for (let at = from; at < to && data[at] !== 0; ) {
    const end = data.indexOf(0, at);
    if (end < 0 || end >= to) break;
    fields.set(String.fromCharCode(data[at] ?? 0), data.toString('utf8', at + 1, end));
    at = end + 1;
  }
  return fields;
}

/** The server's requests (PostgreSQL manual, Authentication messages). */
const [OK, CLEARTEXT, MD5, SASL, SASL_CONTINUE, SASL_FINAL] = [0, 3, 5, 10, 11, 12];
const PASSWORD_MESSAGE = 0x70;
const MECHANISM = 'SCRAM-SHA-256';

/** Proves the password to the server, by the requested method. */
export class SignIn {
  readonly #user: string;
  readonly #password: string;
  #scram: Scram | null = null;
  #isProven = false;
  /** Whether the server let the user in, and proved that it has the password where it asked for a proof. */
  isDone = false;

  constructor(user: string, password: string) {
    this.#user = user;
    this.#password = password;
  }

  /**
   * @param content of an authentication message of the server.
   * @returns the message to answer with; null where none is due. @throws for any other request of the server
   */
  async answer(content: Buffer): Promise<Buffer | null> {
    const kind = content.readInt32BE(0);
    const rest = content.subarray(4);
    if (kind === OK) {
      if (this.#scram !== null && !this.#isProven)
        throw new Error('the server did not prove that it knows the password');
      this.isDone = true;
      return null;
    }
    if (kind === CLEARTEXT) return message(Buffer.from(`${this.#password}\0`));
    if (kind === MD5) return message(Buffer.from(`md5${md5(md5(this.#password + this.#user), rest)}\0`));
    if (kind === SASL) return this.#first(rest);
    if (kind === SASL_CONTINUE && this.#scram !== null)
      return message(Buffer.from(await this.#scram.proof(rest.toString())));
    if (kind === SASL_FINAL && this.#scram !== null) {
      this.#scram.verify(rest.toString());
      this.#isProven = true;
      return null;
    }
    throw new Error(`the server asks for an unsupported sign-in (${kind}): use scram-sha-256 in pg_hba.conf`);
  }

  #first(mechanisms: Buffer): Buffer {
    if (!mechanisms.toString().split('\0').includes(MECHANISM)) {
      throw new Error(`the server offers no ${MECHANISM}: use scram-sha-256 in pg_hba.conf`);
    }
    this.#scram = createScram(this.#password);
    const first = Buffer.from(this.#scram.first);
    const length = Buffer.alloc(4);
    length.writeInt32BE(first.length);
    return message(Buffer.concat([Buffer.from(`${MECHANISM}\0`), length, first]));
  }
}

function md5(text: string, salt: Buffer = Buffer.alloc(0)): string {
  return createHash('md5').update(text).update(salt).digest('hex');
}

function message(content: Buffer): Buffer {
  const head = Buffer.alloc(5);
  head[0] = PASSWORD_MESSAGE;
  head.writeInt32BE(content.length + 4, 1);
  return Buffer.concat([head, content]);
}

/** The result of a statement. */
export interface Reply {
  readonly rows: readonly Row[];
  /** What was done, as the server names it: `INSERT 0 3`, `COMMIT`. */
  readonly command: string;
}

/** Called once: with the replies of all statements of a request, or with a ServerError or DatabaseUnavailable. */
export type Done = (error: Error | null, replies: readonly Reply[]) => void;

export interface Session {
  readonly user: string;
  readonly password: string;
  readonly database: string;
  /** Settings of the session (name → value). */
  readonly settings: Readonly<Record<string, string | number | boolean>>;
}

const PROTOCOL = 0x30000;
const NONE: readonly Reply[] = [];
const NO_ROWS: readonly Row[] = [];
/** Of the server: what it sends for each request ends with READY. */
const [AUTHENTICATION, READY, ROW, COMPLETE, ERROR, PARAMETER, NOTICE] = [0x52, 0x5a, 0x44, 0x43, 0x45, 0x53, 0x4e];
const BACKEND_KEY = 0x4b;
/** ParseComplete, BindComplete, NoData, RowDescription, EmptyQuery, BackendKeyData, ParameterDescription, Notification, PortalSuspended, NegotiateProtocolVersion. */
const WITHOUT_MEANING = new Set(Buffer.from('12nTIKtAsv'));
/** The server's function that waits for the synchronous standby. Its notice has other words in other languages. */
const WAITS_FOR_STANDBY = 'SyncRepWaitForLSN';
/** The server forgot a prepared statement, or cannot use it any more. */
const FORGOTTEN = ['26000', '0A000'];

/** A request under way. */
interface Pending {
  readonly deadline: number;
  readonly done: Done;
  /** Name of the statement that it prepares; null where that was prepared before. */
  readonly preparing: string | null;
  replies: Reply[];
  rows: Row[] | null;
  error: ServerError | null;
}

/**
 * A connection to PostgreSQL for frequent statements: each is prepared once, a request is one write, its answer one call.
 * Requests may be pipelined. A missed deadline closes the connection, so that a late answer can never be read as the answer to a
 * later query. It is never opened again.
 */
export class WireConnection {
  /** Tells this connection from others of the process. */
  readonly number: number;
  readonly #socket: Duplex;
  readonly #isReading: boolean;
  readonly #reader = new ReplyReader();
  readonly #requests = new RequestBuffer();
  /** Names of prepared statements, by their text. */
  readonly #prepared = new Map<string, string>();
  #named = 0;
  #pending: Pending[] = [];
  /** The first of `#pending` that is not answered. */
  #first = 0;
  #lost: DatabaseUnavailable | null = null;
  #timer: NodeJS.Timeout | null = null;
  #armedFor = Number.POSITIVE_INFINITY;
  #opening: { readonly signIn: SignIn; readonly done: (error: Error | null) => void } | null = null;
  /** Process and secret, with which the server lets a statement be canceled. */
  #key: Buffer | null = null;
  readonly #abandoned: (key: Buffer) => void;

  /**
   * @param isReading whether the session itself asks for read-only transactions
   * @param abandoned gets the key of a connection that is given up while the server works on a statement
   */
  constructor(socket: Duplex, number: number, isReading = false, abandoned: (key: Buffer) => void = () => {}) {
    this.#socket = socket;
    this.#abandoned = abandoned;
    this.#isReading = isReading;
    this.number = number;
    socket.on('data', (chunk: Buffer) => this.#read(chunk));
    socket.on('error', (error) => this.#lose(error));
    socket.on('close', () => this.#lose(new DatabaseUnavailable('the connection was lost')));
  }

  get isUsable(): boolean {
    return this.#lost === null && this.#opening === null;
  }

  /** Begins the session. @param done is called once it may be used, or cannot be. */
  start({ user, password, database, settings }: Session, done: (error: Error | null) => void): void {
    this.#opening = { signIn: new SignIn(user, password), done };
    const named = Object.entries({ user, database, client_encoding: 'UTF8', ...settings });
    const content = Buffer.from(`${named.map(([name, value]) => `${name}\0${value}\0`).join('')}\0`);
    const head = Buffer.alloc(8);
    head.writeInt32BE(content.length + head.length);
    head.writeInt32BE(PROTOCOL, 4);
    this.#socket.write(Buffer.concat([head, content]));
  }

  /** @param deadline on the clock of `performance.now()`. @param done gets one reply. */
  execute(text: string, parameters: readonly Parameter[], deadline: number, done: Done): void {
    if (this.#lost !== null) return done(this.#lost, NONE);
    let name = this.#prepared.get(text);
    const isNew = name === undefined;
    if (name === undefined) {
      this.#named += 1;
      name = `s${this.#named}`;
      this.#prepared.set(text, name);
      this.#requests.parse(name, text);
    }
    this.#requests.execute(name, parameters);
    this.#send(deadline, done, isNew ? text : null);
  }

  /** Several statements without parameters, one transaction unless they begin one. @param done gets a reply for each. */
  query(text: string, deadline: number, done: Done): void {
    if (this.#lost !== null) return done(this.#lost, NONE);
    this.#requests.query(text);
    this.#send(deadline, done, null);
  }

  /** Everything under way fails. */
  destroy(): void {
    this.#giveUp('the connection was given up');
  }

  #giveUp(why: string): void {
    if (this.#lost === null && this.#key !== null && this.#pending.length > this.#first) this.#abandoned(this.#key);
    this.#lose(new DatabaseUnavailable(why));
  }

  #send(deadline: number, done: Done, preparing: string | null): void {
    this.#pending.push({ deadline, done, preparing, replies: [], rows: null, error: null });
    this.#socket.write(this.#requests.take());
    this.#arm(deadline);
  }

  /** Left armed when the answer arrives: arming it for each request took a fiftieth of the processor time of a call. */
  #arm(deadline: number): void {
    if (deadline >= this.#armedFor) return;
    if (this.#timer !== null) clearTimeout(this.#timer);
    this.#armedFor = deadline;
    this.#timer = setTimeout(this.#look, Math.max(0, deadline - performance.now())).unref();
  }

  readonly #look = (): void => {
    this.#timer = null;
    this.#armedFor = Number.POSITIVE_INFINITY;
    const nearest = this.#nearest();
    if (nearest <= performance.now()) this.#giveUp('the database did not answer within the budget');
    else this.#arm(nearest);
  };

  #nearest(): number {
    let nearest = Number.POSITIVE_INFINITY;
    for (let index = this.#first; index < this.#pending.length; index += 1) {
      nearest = Math.min(nearest, this.#pending[index]?.deadline ?? nearest);
    }
    return nearest;
  }

  #lose(cause: Error): void {
    if (this.#lost !== null) return;
    const lost = new ConnectionLost(unavailable(cause).message, { cause });
    this.#lost = lost;
    this.#socket.destroy();
    if (this.#timer !== null) clearTimeout(this.#timer);
    const waiting = this.#pending.slice(this.#first);
    this.#pending = [];
    const opening = this.#opening;
    this.#opening = null;
    opening?.done(lost);
    for (const { done } of waiting) done(lost, NONE);
  }

  #read(chunk: Buffer): void {
    if (this.#lost !== null) return;
    try {
      this.#reader.read(chunk, this.#take);
    } catch (error) {
      this.#lose(error instanceof Error ? error : new Error(String(error)));
    }
  }

  readonly #take = (kind: number, data: Buffer, from: number, to: number): void => {
    if (this.#lost !== null) return;
    if (kind === PARAMETER) this.#takeParameter(data.toString('utf8', from, to));
    else if (kind === NOTICE) this.#takeNotice(fieldsOf(data, from, to));
    else if (this.#opening !== null) this.#takeOpening(kind, data, from, to);
    else this.#takeReply(kind, data, from, to);
  };

  #takeParameter(content: string): void {
    const [name = '', value = ''] = content.split('\0');
    const fault = readOnlyFault(name, value, this.#isReading);
    if (fault !== null) this.#lose(fault);
  }

  /** A canceled statement commits without the synchronous standby, and is answered as if it had waited: not durable. */
  #takeNotice(fields: ReadonlyMap<string, string>): void {
    if (fields.get('R') !== WAITS_FOR_STANDBY) return;
    this.#lose(new DatabaseUnavailable('the server committed without waiting for its synchronous standby'));
  }

  #takeOpening(kind: number, data: Buffer, from: number, to: number): void {
    const opening = this.#opening;
    if (kind === ERROR) this.#lose(new ServerError(fieldsOf(data, from, to)));
    else if (kind === AUTHENTICATION && opening !== null) {
      // A copy: the answer may arrive later than the next bytes.
      opening.signIn.answer(Buffer.from(data.subarray(from, to))).then(
        (answer) => answer !== null && this.#socket.write(answer),
        (error: Error) => this.#lose(error),
      );
    } else if (kind === READY) {
      if (opening?.signIn.isDone !== true) throw new Error('the server began the session before the sign-in was done');
      this.#opening = null;
      opening.done(null);
    } else if (kind === BACKEND_KEY) this.#key = Buffer.from(data.subarray(from, to));
    else if (!WITHOUT_MEANING.has(kind)) throw new Error('the server sent what does not belong to a sign-in');
  }

  #takeReply(kind: number, data: Buffer, from: number, to: number): void {
    const one = this.#pending[this.#first];
    if (kind === ERROR) this.#takeError(new ServerError(fieldsOf(data, from, to)), one);
    else if (WITHOUT_MEANING.has(kind)) return;
    else if (one === undefined) throw new Error('the server answered what was not asked');
    else if (kind === ROW) (one.rows ??= []).push(rowOf(data, from, to));
    else if (kind === COMPLETE) {
      one.replies.push({ rows: one.rows ?? NO_ROWS, command: data.toString('latin1', from, to - 1) });
      one.rows = null;
    } else if (kind === READY) this.#answer(one);
    else throw new Error('the server sent what does not belong to an answer');
  }

  #takeError(error: ServerError, one: Pending | undefined): void {
    if (error.isFatal || one === undefined || isReadOnlyFault(error)) this.#lose(error);
    else one.error ??= error;
  }

  #answer({ done, error, replies, preparing }: Pending): void {
    this.#first += 1;
    if (this.#first === this.#pending.length) {
      this.#pending = [];
      this.#first = 0;
    }
    if (error === null) return done(null, replies);
    if (preparing !== null) this.#prepared.delete(preparing);
    if (FORGOTTEN.includes(error.code)) this.#prepared.clear();
    done(error, NONE);
  }
}

/**
 * The client's side of SCRAM-SHA-256 (RFC 5802, RFC 7677): it proves the password without sending it, and checks that the server
 * has it.
 */
interface Scram {
  /** The first message. */
  readonly first: string;
  /** The answer to the server's first message. @throws where that is invalid */
  proof(serverFirst: string): Promise<string>;
  /** @throws where the server does not have the password */
  verify(serverFinal: string): void;
}

/** @param nonce for tests; random otherwise. */
export function createScram(password: string, nonce = randomBytes(18).toString('base64')): Scram {
  // The server has the user from the start of the connection, and ignores the name given here.
  const bare = `n=,r=${nonce}`;
  let expected: Buffer | null = null;
  return {
    first: NO_CHANNEL_BINDING + bare,
    async proof(serverFirst) {
      const { r, s, i } = scramFieldsOf(serverFirst);
      const iterations = Number(i);
      if (!r?.startsWith(nonce) || r.length === nonce.length || !s || !(iterations >= 1)) throw new Error(BROKEN);
      if (iterations > MOST_ITERATIONS) throw new Error(`the server asks for ${i} iterations of the password's hash`);
      const salted = await derive(password.normalize('NFKC'), Buffer.from(s, 'base64'), iterations, 32, HASH);
      const clientKey = hmac(salted, 'Client Key');
      const withoutProof = `c=${Buffer.from(NO_CHANNEL_BINDING).toString('base64')},r=${r}`;
      const message = `${bare},${serverFirst},${withoutProof}`;
      const signature = hmac(createHash(HASH).update(clientKey).digest(), message);
      expected = hmac(hmac(salted, 'Server Key'), message);
      const proof = Buffer.from(clientKey.map((byte, index) => byte ^ (signature[index] ?? 0)));
      return `${withoutProof},p=${proof.toString('base64')}`;
    },
    verify(serverFinal) {
      const given = Buffer.from(scramFieldsOf(serverFinal)['v'] ?? '', 'base64');
      if (expected === null || given.length !== expected.length || !timingSafeEqual(given, expected)) {
        throw new Error('the server does not know the password: it is not the intended server');
      }
    },
  };
}

function scramFieldsOf(message: string): Readonly<Record<string, string>> {
  return Object.fromEntries(message.split(',').map((part) => [part.slice(0, 1), part.slice(2)]));
}
