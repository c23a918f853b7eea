import { storable } from '@gateway/contract';
import * as fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createTestDatabase, type TestDatabase } from '../testing/index.ts';
import { arrayLiteral, textsOf } from './array-literal.ts';

let database: TestDatabase;
beforeAll(async () => {
  database = await createTestDatabase();
});
afterAll(() => database.drop());
const asked = async (type: string, literal: string): Promise<unknown> => {
  const [row] = await database.sql.unsafe(`select to_json($1::${type}[]) as list`, [literal]);
  return row?.['list'];
};

it('a list of texts is sent and read as one', async () => {
  const texts = ['a', '', 'NULL', '{}', 'b,"c"\\'];
  const [row] = await database.sql`select ${texts}::text[] as read, array[null, 'a'] as mixed, array[]::text[] as none`;
  expect(row).toEqual({ read: texts, mixed: [null, 'a'], none: [] });
});

describe('an array literal', () => {
  it('represents every storable list of texts', async () => {
    const text = fc.oneof(
      fc.string(),
      fc.string({ unit: 'binary' }),
      fc.constantFrom('NULL', 'null', '', '{}', '"', '\\', '\\x61', '\\x61"', '12:30Z', '1,2', '0}'),
    );
    await fc.assert(
      fc.asyncProperty(fc.array(fc.option(text)), async (values) => {
        const kept = values.map((value) => (value === null ? null : storable(value)));
        expect(await asked('text', arrayLiteral(kept))).toEqual(kept);
        const [row] = await database.sql`select ${arrayLiteral(kept)}::text[]::text as written`;
        expect(textsOf(row?.['written'])).toEqual(kept);
      }),
    );
  });

  it('represents numbers and bytes', async () => {
    expect(await asked('bigint', arrayLiteral([1, 2n, null, -3]))).toEqual([1, 2, null, -3]);
    expect(await asked('bytea', arrayLiteral(['\\x005cff', null]))).toEqual(['\\x005cff', null]);
  });
});
