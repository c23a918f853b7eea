import { createHash } from 'node:crypto';
import { createScram, type Scram } from './scram.ts';

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
