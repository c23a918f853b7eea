import { createHash, randomUUID } from 'node:crypto';
import * as fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { parseDatabaseAddress } from '../client/address.ts';
import { createTestDatabase, type TestDatabase } from '../testing/index.ts';
import { SignIn } from './connection.ts';
import { connection, createWireLink, query } from './link.ts';

let database: TestDatabase;
const role = `signs_in_${randomUUID().slice(0, 8)}`;
beforeAll(async () => {
  database = await createTestDatabase();
  await database.sql.unsafe(`create role ${role} login`);
});
afterAll(async () => {
  await database.sql.unsafe(`drop role ${role}`);
  await database.drop();
});

/** Signs in with a password. @returns the name of the role on the server, or why not */
async function signIn(password: string): Promise<string> {
  const address = { ...parseDatabaseAddress(database.ownerUrl), user: role, password };
  const link = createWireLink({ address, applicationName: 'sign-in', budgetMs: 60_000 });
  try {
    const deadline = performance.now() + 60_000;
    const { rows } = await query(await connection(link, deadline), 'select current_user', deadline);
    return rows[0]?.[0] ?? '';
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  } finally {
    link.cut();
  }
}
/** As an operator sets it: the server derives what it keeps. */
const setPassword = (password: string) =>
  database.sql.unsafe(`alter role ${role} password '${password.replaceAll("'", "''")}'`);

describe('a sign-in to PostgreSQL', () => {
  it('succeeds with any password that the operator set, and with no other', async () => {
    const sign = fc.constantFrom(...Array.from('aZ09 \'"\\%@:/?#,=é€ß中😀'));
    await fc.assert(
      fc.asyncProperty(fc.string({ unit: sign, minLength: 1, maxLength: 40 }), async (password) => {
        await setPassword(password);
        expect(await signIn(password)).toBe(role);
        expect(await signIn(`${password}x`)).toContain('password authentication failed');
      }),
      { numRuns: 12 },
    );
  });

  it('takes one word for the same password, however its accents are typed', async () => {
    await setPassword('Zoe\u0308 \uFB01nds \u2163');
    expect(await signIn('Zo\u00EB finds IV')).toBe(role);
  });

  it('fails with the words of the server where the role may not sign in', async () => {
    await setPassword('secret');
    await database.sql.unsafe(`alter role ${role} nologin`);
    expect(await signIn('secret')).toContain('not permitted to log in');
    await database.sql.unsafe(`alter role ${role} login valid until '2020-01-01'`);
    expect(await signIn('secret')).toContain('password authentication failed');
    await database.sql.unsafe(`alter role ${role} valid until 'infinity' connection limit 0`);
    expect(await signIn('secret')).toContain('too many connections');
    await database.sql.unsafe(`alter role ${role} connection limit -1`);
    expect(await signIn('secret')).toBe(role);
  });
});

/** The content of an authentication message. */
function asked(kind: number, more: Buffer | string = ''): Buffer {
  const head = Buffer.alloc(4);
  head.writeInt32BE(kind);
  return Buffer.concat([head, Buffer.from(more)]);
}
/** What a password message says. */
const said = (message: Buffer | null) => message?.toString('latin1', 5, message.length - 1);

describe('the answer to the server', () => {
  it('has the password where the server asks for it in clear', async () => {
    const message = await new SignIn('ada', 'sécret').answer(asked(3));
    expect(message?.subarray(5)).toEqual(Buffer.from('sécret\0'));
    expect(message?.readInt32BE(1)).toBe((message?.length ?? 0) - 1);
  });

  it('hides the password where the server asks for MD5, with the salt of the server', async () => {
    const inner = createHash('md5').update('secretada').digest('hex');
    const expected = createHash('md5')
      .update(inner)
      .update(Buffer.from([1, 2, 3, 4]))
      .digest('hex');
    const message = await new SignIn('ada', 'secret').answer(asked(5, Buffer.from([1, 2, 3, 4])));
    expect(said(message)).toBe(`md5${expected}`);
  });

  it('is none where no password is needed', async () => {
    expect(await new SignIn('ada', '').answer(asked(0))).toBeNull();
  });

  it('chooses SCRAM-SHA-256 among the ways that the server offers', async () => {
    const offered = 'SCRAM-SHA-256-PLUS\0SCRAM-SHA-256\0\0';
    const message = await new SignIn('ada', 'secret').answer(asked(10, offered));
    expect(said(message)).toMatch(/^SCRAM-SHA-256\0/);
    expect(message?.includes('secret')).toBe(false);
  });

  it('is none to a server that offers only the way with a channel, which is not spoken here', async () => {
    const offered = new SignIn('ada', 'secret').answer(asked(10, 'SCRAM-SHA-256-PLUS\0\0'));
    await expect(offered).rejects.toThrow('use scram-sha-256 in pg_hba.conf');
  });

  it('ends where the server is content before it proved that it has the password', async () => {
    const signing = new SignIn('ada', 'secret');
    await signing.answer(asked(10, 'SCRAM-SHA-256\0\0'));
    await expect(signing.answer(asked(0))).rejects.toThrow('did not prove that it knows the password');
  });

  it('ends where the proof of the server is wrong or missing', async () => {
    for (const proof of [`v=${Buffer.alloc(32).toString('base64')}`, 'v=', 'e=other-error', '']) {
      const signing = new SignIn('ada', 'secret');
      const first = await signing.answer(asked(10, 'SCRAM-SHA-256\0\0'));
      const nonce = /r=(.+)$/.exec(first?.toString('latin1') ?? '')?.[1] ?? '';
      await signing.answer(asked(11, `r=${nonce}more,s=AAAA,i=4096`));
      await expect(signing.answer(asked(12, proof))).rejects.toThrow('does not know the password');
      await expect(signing.answer(asked(0))).rejects.toThrow('did not prove');
    }
  });

  it.each([2, 6, 7, 8, 9, 11, 12, 99])('is an advice to the operator where the server asks for %i', async (kind) => {
    await expect(new SignIn('ada', 'secret').answer(asked(kind))).rejects.toThrow(
      `an unsupported sign-in (${kind}): use scram-sha-256 in pg_hba.conf`,
    );
  });

  it('ends where a message is shorter than its kind', async () => {
    await expect(new SignIn('ada', 'secret').answer(Buffer.from([0, 0]))).rejects.toThrow('buffer');
  });
});
