import { createHash } from 'node:crypto';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { readMigrations } from './registry.ts';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'migrations-'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const read = () => readMigrations(pathToFileURL(`${folder}/`));
const add = (...names: readonly string[]) => {
  for (const name of names) writeFileSync(join(folder, name), `-- ${name}`);
};

describe('the files of the migrations', () => {
  it('are read in the order of their numbers, with the digest of their bytes; other files are ignored', () => {
    add('0002_b.sql', '0001_a.sql', 'README.md', '0003_c.sql.orig');
    expect(read()).toEqual(
      [
        [1, '0001_a'],
        [2, '0002_b'],
      ].map(([number, name]) => ({
        number,
        name,
        text: `-- ${name}.sql`,
        digest: createHash('sha256').update(`-- ${name}.sql`).digest('hex'),
      })),
    );
  });

  it('keep their digest only while no byte of them changes, a line end included', () => {
    writeFileSync(join(folder, '0001_a.sql'), 'select 1;\n');
    const [before] = read();
    writeFileSync(join(folder, '0001_a.sql'), 'select 1;\r\n');
    expect(read()[0]?.digest).not.toBe(before?.digest);
  });

  it.each([
    [['0001_a.sql', '0003_c.sql'], 'migration 0003_c.sql is not number 2'],
    [['0002_b.sql'], 'migration 0002_b.sql is not number 1'],
    [['0001_a.sql', '0001_b.sql'], 'migration 0001_b.sql is not number 2'],
    [['1_a.sql'], 'migration 1_a.sql is not number 1'],
    [['0001_A.sql'], 'migration 0001_A.sql is not number 1'],
    [['0001_a.sql', 'later.sql'], 'migration later.sql is not number 2'],
  ])('are refused where one is missing or misnamed: %j', (names, sentence) => {
    add(...names);
    expect(read).toThrow(sentence);
  });

  it('are none in an empty folder', () => expect(read()).toEqual([]));
});
