import { Duplex } from 'node:stream';
import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type Reply, WireConnection } from './connection.ts';

/** A message of the server with this kind. */
function message(kind: string, content: Buffer | string = ''): Buffer {
  const head = Buffer.from(`${kind}....`);
  head.writeInt32BE(Buffer.byteLength(content) + 4, 1);
  return Buffer.concat([head, Buffer.from(content)]);
}
function int32(...values: readonly number[]): Buffer {
  const bytes = Buffer.alloc(4 * values.length);
  for (const [place, value] of values.entries()) bytes.writeInt32BE(value, 4 * place);
  return bytes;
}
function row(...values: readonly (string | null)[]): Buffer {
  const parts = values.flatMap((value) =>
    value === null ? [int32(-1)] : [int32(Buffer.byteLength(value)), Buffer.from(value)],
  );
  return message('D', Buffer.concat([Buffer.from([0, values.length]), ...parts]));
}
const READY = message('Z', 'I');
const WELCOME = Buffer.concat([message('R', int32(0)), message('S', 'a\0b\0'), message('K', int32(1, 2)), READY]);
const answered = (...rows: readonly Buffer[]) =>
  Buffer.concat([
    message('1'),
    message('2'),
    message('T', '\0\0'),
    ...rows,
    message('C', `SELECT ${rows.length}\0`),
    READY,
  ]);
const REFUSED = Buffer.concat([message('E', 'SERROR\0VERROR\0C22012\0Mdivision by zero\0\0'), READY]);

/** The end of a server: says what it is asked, and keeps what the client sent. */
class Said extends Duplex {
  readonly heard: Buffer[] = [];
  override _read(): void {}
  override _write(bytes: Buffer, _: string, done: () => void): void {
    this.heard.push(bytes);
    done();
  }
  say(bytes: Buffer): void {
    if (!this.destroyed) this.push(bytes);
  }
  hangUp(): void {
    if (!this.destroyed) this.push(null);
  }
}

interface Conversation {
  /** How often each of sign-in and requests got its end. */
  readonly calls: readonly number[];
  readonly results: readonly (readonly Reply[] | Error)[];
  readonly heard: string;
}

/** Three requests on a connection to a server that says these bytes, in pieces, and then hangs up. */
async function converse(bytes: Buffer, piece = bytes.length): Promise<Conversation> {
  const server = new Said({ allowHalfOpen: false });
  const on = new WireConnection(server, 1);
  const results: (readonly Reply[] | Error)[] = [];
  const calls: number[] = [];
  const ends =
    (place: number) =>
    (error: Error | null, replies: readonly Reply[] = []) => {
      calls[place] = (calls[place] ?? 0) + 1;
      results[place] = error ?? replies;
    };
  const deadline = performance.now() + 600_000;
  const closed = new Promise((resolve) => server.once('close', resolve));
  on.start({ user: 'u', password: 'p', database: 'd', settings: {} }, (error) => {
    ends(0)(error);
    on.execute('select 1', [], deadline, ends(1));
    on.execute('select 2', ['x'], deadline, ends(2));
    on.query('select 3', deadline, ends(3));
  });
  for (let at = 0; at < bytes.length; at += Math.max(1, piece)) server.say(bytes.subarray(at, at + Math.max(1, piece)));
  server.hangUp();
  await closed;
  return { calls, results, heard: Buffer.concat(server.heard).toString('latin1') };
}

const WHOLE = Buffer.concat([WELCOME, answered(row('1', null)), REFUSED, answered(row('3'), row(''))]);

describe('a server that damages its answers', () => {
  it('gives every answer where nothing is damaged', async () => {
    const { calls, results } = await converse(WHOLE);
    expect(calls).toEqual([1, 1, 1, 1]);
    expect(results).toMatchObject([
      [],
      [{ rows: [['1', null]], command: 'SELECT 1' }],
      { name: 'ServerError', code: '22012' },
      [{ rows: [['3'], ['']], command: 'SELECT 2' }],
    ]);
  });

  const damage = fc.oneof(
    fc.record({ at: fc.nat(), cut: fc.nat({ max: 12 }), put: fc.uint8Array({ maxLength: 12 }) }),
    fc.record({ at: fc.nat(), cut: fc.constant(1), put: fc.uint8Array({ minLength: 1, maxLength: 1 }) }),
  );

  it('leaves nobody waiting, tells nobody twice, and ends no process', async () => {
    await fc.assert(
      fc.asyncProperty(damage, fc.integer({ min: 1, max: 40 }), async ({ at, cut, put }, piece) => {
        const from = at % WHOLE.length;
        const damaged = Buffer.concat([WHOLE.subarray(0, from), put, WHOLE.subarray(from + cut)]);
        const { calls } = await converse(damaged, piece);
        expect(calls).toEqual([1, 1, 1, 1]);
      }),
      { numRuns: 400 },
    );
  });

  it('is not believed where it says the same twice: the rest is lost, not mistaken for later answers', async () => {
    const twice = Buffer.concat([WELCOME, answered(row('1')), REFUSED, answered(row('3')), answered(row('4'))]);
    const { calls, results } = await converse(twice);
    expect(calls).toEqual([1, 1, 1, 1]);
    expect(results[3]).toMatchObject([{ rows: [['3']] }]);
  });

  it.each([
    ['a row with more columns than it has', message('D', Buffer.from([0, 9, 0, 0, 0, 0]))],
    ['a row of a negative number of columns', message('D', Buffer.from([0xff, 0xff, 0, 0, 0, 1]))],
    ['a value longer than its row', message('D', Buffer.from([0, 1, 0, 0, 1, 0, 65]))],
    ['a row without a number of columns', message('D')],
    ['a transfer of data', message('H', Buffer.from([0, 0, 0]))],
    ['a request for data', message('G', Buffer.from([0, 0, 0]))],
    ['a second sign-in', message('R', int32(3))],
    ['a message of an unknown kind', message('?')],
    ['a message without an end', Buffer.from([0x44, 0x7f, 0xff, 0xff, 0xff])],
  ])('loses the connection with %s, and every request on it', async (_, wrong) => {
    const { calls, results } = await converse(Buffer.concat([WELCOME, wrong, answered(row('1'))]));
    expect(calls).toEqual([1, 1, 1, 1]);
    for (const result of results.slice(1)) expect(result).toMatchObject({ name: 'DatabaseUnavailable' });
  });

  it.each([
    ['ends the session', 'SFATAL\0VFATAL\0C57P01\0Mterminating connection\0\0', 'terminating connection'],
    ['crashes', 'SPANIC\0VPANIC\0CXX000\0Mcould not write\0\0', 'could not write'],
    ['ends the session in another language', 'SFATAL\0VFATAL\0C57P01\0Mla connexion est coupée\0\0', 'est coupée'],
    ['gives no reason', '\0', 'without a reason'],
  ])('is lost with its reason where it %s before the sign-in is done', async (_, fields, reason) => {
    const { calls, results } = await converse(message('E', fields));
    expect(calls[0]).toBe(1);
    expect(results[0]).toMatchObject({ name: 'DatabaseUnavailable', message: expect.stringContaining(reason) });
  });

  it('loses all that waits where it ends the session, with the reason for each', async () => {
    const end = message('E', 'SFATAL\0VFATAL\0C57P01\0Mterminating connection\0\0');
    const { results } = await converse(Buffer.concat([WELCOME, answered(row('1')), end]));
    expect(results[1]).toMatchObject([{ rows: [['1']] }]);
    for (const lost of results.slice(2)) {
      expect(lost).toMatchObject({
        name: 'DatabaseUnavailable',
        message: expect.stringContaining('terminating connection'),
      });
    }
  });

  it('keeps the first of two errors of one request', async () => {
    const second = message('E', 'SERROR\0VERROR\0C40001\0Manother\0\0');
    const first = message('E', 'SERROR\0VERROR\0C22012\0Mdivision by zero\0\0');
    const { results } = await converse(Buffer.concat([WELCOME, first, second, READY, REFUSED, answered(row('3'))]));
    expect(results[1]).toMatchObject({ code: '22012' });
    expect(results[3]).toMatchObject([{ rows: [['3']] }]);
  });
});

describe('a server that begins the session before the sign-in is done', () => {
  const SASL = message('R', Buffer.concat([int32(10), Buffer.from('SCRAM-SHA-256\0\0')]));
  it.each([
    ['without any sign-in', READY, 'before the sign-in was done'],
    [
      'without proof that it has the password',
      Buffer.concat([SASL, message('R', int32(0)), READY]),
      'the sign-in was done',
    ],
    ['while it still asks for a proof', Buffer.concat([SASL, READY]), 'before the sign-in was done'],
  ])('%s hears no statement', async (_, bytes, reason) => {
    const { calls, results, heard } = await converse(Buffer.concat([bytes, answered(row('1'))]));
    expect(calls[0]).toBe(1);
    expect(results[0]).toMatchObject({ name: 'DatabaseUnavailable', message: expect.stringContaining(reason) });
    expect(heard).not.toContain('select');
  });
});
