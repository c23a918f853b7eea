import { createHash, createHmac, pbkdf2, randomBytes, timingSafeEqual } from 'node:crypto';
import { promisify } from 'node:util';

/** What the server may ask for at most: PostgreSQL's default is 4096, and each costs the gateway time. */
const MOST_ITERATIONS = 1_000_000;
const HASH = 'sha256';
const NO_CHANNEL_BINDING = 'n,,';

const derive = promisify(pbkdf2);
const hmac = (key: Buffer, text: string | Buffer): Buffer => createHmac(HASH, key).update(text).digest();

/**
 * The client's side of SCRAM-SHA-256 (RFC 5802, RFC 7677): it proves the password without sending it, and checks that the server
 * has it.
 */
export interface Scram {
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
      const { r, s, i } = fieldsOf(serverFirst);
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
      const given = Buffer.from(fieldsOf(serverFinal)['v'] ?? '', 'base64');
      if (expected === null || given.length !== expected.length || !timingSafeEqual(given, expected)) {
        throw new Error('the server does not know the password: it is not the intended server');
      }
    },
  };
}

const BROKEN = 'the server violated the sign-in protocol (SCRAM)';

function fieldsOf(message: string): Readonly<Record<string, string>> {
  return Object.fromEntries(message.split(',').map((part) => [part.slice(0, 1), part.slice(2)]));
}
