import { hash } from 'node:crypto';
import * as fc from 'fast-check';
import { describe, expect, it, vi } from 'vitest';
import { fieldsOf, ReplyReader, rowOf } from './connection.ts';
import { type Parameter, RequestBuffer } from './request-buffer.ts';

interface Message {
  readonly kind: string;
  readonly content: Buffer;
}

function messages(data: Buffer): Message[] {
  const found: Message[] = [];
  new ReplyReader().read(data, (kind, bytes, from, to) =>
    found.push({ kind: String.fromCharCode(kind), content: Buffer.from(bytes.subarray(from, to)) }),
  );
  return found;
}

/** The content of a Bind message: name of the statement, and its parameters. */
function bound(content: Buffer): { readonly name: string; readonly values: (Buffer | null)[] } {
  let at = content.indexOf(0) + 1;
  const end = content.indexOf(0, at);
  const name = content.toString('utf8', at, end);
  at = end + 1;
  at += 2 + 2 * content.readInt16BE(at);
  const count = content.readInt16BE(at);
  at += 2;
  const values: (Buffer | null)[] = [];
  for (let index = 0; index < count; index += 1) {
    const length = content.readInt32BE(at);
    at += 4;
    values.push(length < 0 ? null : content.subarray(at, at + length));
    at += Math.max(0, length);
  }
  return { name, values };
}

const parameter = fc.oneof(
  fc.string({ unit: 'grapheme', maxLength: 50 }),
  fc.integer(),
  fc.bigInt(),
  fc.constant(null),
  fc.uint8Array({ maxLength: 50 }).map((bytes) => Buffer.from(bytes)),
  fc.integer({ min: 1, max: 40_000 }).map((length) => 'ü'.repeat(length)),
);

describe('requests', () => {
  it('contain their values, for any lengths and any number of messages together', () => {
    const requests = fc.array(fc.array(parameter, { maxLength: 6 }), { minLength: 1, maxLength: 8 });
    fc.assert(
      fc.property(requests, (all) => {
        const buffer = new RequestBuffer();
        const sent: Buffer[] = [];
        for (const parameters of all) {
          buffer.parse('s1', 'select 1');
          buffer.execute('s1', parameters);
          sent.push(buffer.take());
        }
        // Read after all of them were written: no page was written twice.
        for (const [index, parameters] of all.entries()) {
          const [parse, bind, execute, sync, ...more] = messages(sent[index] ?? Buffer.alloc(0));
          expect([parse?.kind, bind?.kind, execute?.kind, sync?.kind, more]).toEqual(['P', 'B', 'E', 'S', []]);
          const { name, values } = bound(bind?.content ?? Buffer.alloc(0));
          expect(name).toBe('s1');
          // Compared by digests: an expectation on many bytes is slow.
          expect(values.map(digestOf)).toEqual(parameters.map((value) => digestOf(bytesOf(value))));
        }
      }),
      { numRuns: 50 },
    );
  });
});

function digestOf(bytes: Buffer | null): string | null {
  return bytes === null ? null : hash('sha256', bytes, 'hex');
}

function bytesOf(value: Parameter): Buffer | null {
  if (value === null || Buffer.isBuffer(value)) return value;
  return Buffer.from(String(value));
}

describe('replies', () => {
  const message = (kind: string, content: string | Buffer): Buffer => {
    const head = Buffer.from(`${kind}....`);
    head.writeInt32BE(Buffer.byteLength(content) + 4, 1);
    return Buffer.concat([head, Buffer.from(content)]);
  };

  it('are the same for any division', () => {
    const all = Buffer.concat([message('D', 'row'), message('C', 'SELECT 1\0'), message('Z', 'I'), message('N', '')]);
    fc.assert(
      fc.property(fc.array(fc.integer({ min: 0, max: all.length }), { maxLength: 6 }), (cuts) => {
        const reader = new ReplyReader();
        const found: string[] = [];
        let from = 0;
        for (const to of [...cuts.toSorted((a, b) => a - b), all.length]) {
          reader.read(all.subarray(from, to), (kind, data, start, end) =>
            found.push(`${String.fromCharCode(kind)} ${data.toString('utf8', start, end)}`),
          );
          from = to;
        }
        expect(found).toEqual(['D row', 'C SELECT 1\0', 'Z I', 'N ']);
      }),
    );
  });

  it('of any size are copied once, in however many pieces they come', () => {
    const large = message('D', Buffer.alloc(4 * 1024 * 1024, 1));
    const concat = vi.spyOn(Buffer, 'concat');
    const reader = new ReplyReader();
    const found: number[] = [];
    for (let at = 0; at < large.length; at += 4096) {
      reader.read(large.subarray(at, at + 4096), (_, __, from, to) => found.push(to - from));
    }
    const copied = concat.mock.results.reduce((sum, { value }) => sum + (value as Buffer).length, 0);
    concat.mockRestore();
    expect(found).toEqual([4 * 1024 * 1024]);
    expect(copied).toBeLessThan(2 * large.length);
  });

  it.each([-1, 0, 3, 0x7fffffff])('of a length of %i are refused', (length) => {
    const head = Buffer.from('D....');
    head.writeInt32BE(length, 1);
    expect(() => messages(head)).toThrow('not a message');
  });

  it('contain rows of texts and nulls', () => {
    const row = Buffer.concat([
      Buffer.from([0, 3, 0, 0, 0, 3]),
      Buffer.from('ü1'),
      Buffer.from([255, 255, 255, 255, 0, 0, 0, 0]),
    ]);
    expect(rowOf(row, 0, row.length)).toEqual(['ü1', null, '']);
    expect(() => rowOf(row, 0, row.length - 1)).toThrow('does not end');
  });

  it('contain errors, also truncated ones', () => {
    const fields = Buffer.from('SFEHLER\0VERROR\0C23505\0Mdoppelt\0nkey\0\0');
    expect(Object.fromEntries(fieldsOf(fields, 0, fields.length))).toEqual({
      S: 'FEHLER',
      V: 'ERROR',
      C: '23505',
      M: 'doppelt',
      n: 'key',
    });
    expect(fieldsOf(fields, 0, 10).size).toBe(1);
  });
});
