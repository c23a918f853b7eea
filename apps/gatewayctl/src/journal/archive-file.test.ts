import { createHash } from 'node:crypto';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { digestOf, freeName, writeLines, writeManifest } from '../commands/archive.ts';
import { CommandFailed } from '../context/context.ts';

const JANUARY = new Date('2026-01-01T00:00:00Z');
let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'archive-'));
});
afterEach(() => rmSync(folder, { recursive: true }));

async function* pages(...all: readonly (readonly string[])[]): AsyncGenerator<readonly string[]> {
  yield* all;
}

describe('the name of an archive', () => {
  it('is the first that no file of the folder has, and no archive before it', () => {
    expect(freeName(folder, 'usage', JANUARY, new Set())).toBe('usage-2026-01-1.jsonl');
    writeFileSync(join(folder, 'usage-2026-01-1.jsonl'), '');
    expect(freeName(folder, 'usage', JANUARY, new Set())).toBe('usage-2026-01-2.jsonl');
    expect(freeName(folder, 'usage', JANUARY, new Set(['usage-2026-01-2.jsonl']))).toBe('usage-2026-01-3.jsonl');
    expect(freeName(folder, 'decisions', JANUARY, new Set(['usage-2026-01-1.jsonl']))).toBe(
      'decisions-2026-01-1.jsonl',
    );
  });

  it('has the month in UTC', () => {
    const end = new Date('2026-01-31T23:59:59.999Z');
    expect(freeName(folder, 'acts', end, new Set())).toBe('acts-2026-01-1.jsonl');
  });
});

describe('an archive file', () => {
  it('has its lines in order, for its owner alone, with their number and digest', async () => {
    const written = await writeLines(folder, 'a.jsonl', pages(['1', 'é'], [], ['3']));
    const content = '1\né\n3\n';
    expect(readFileSync(join(folder, 'a.jsonl'), 'utf8')).toBe(content);
    expect(written).toEqual({
      file: 'a.jsonl',
      entries: 3,
      sha256: createHash('sha256').update(content).digest('hex'),
    });
    expect(await digestOf(join(folder, 'a.jsonl'))).toBe(written?.sha256);
    expect(statSync(join(folder, 'a.jsonl')).mode & 0o777).toBe(0o600);
    expect(readdirSync(folder)).toEqual(['a.jsonl']);
  });

  it('is not made where there is nothing to write', async () => {
    expect(await writeLines(folder, 'a.jsonl', pages())).toBeNull();
    expect(await writeLines(folder, 'a.jsonl', pages([], []))).toBeNull();
    expect(readdirSync(folder)).toEqual([]);
  });

  it('has no name before it is whole: a failure leaves only the partial file, which the next attempt replaces', async () => {
    async function* failing(): AsyncGenerator<readonly string[]> {
      yield ['1'];
      throw new Error('the database went away');
    }
    await expect(writeLines(folder, 'a.jsonl', failing())).rejects.toThrow('the database went away');
    expect(readdirSync(folder)).toEqual(['a.jsonl.partial']);
    expect(await writeLines(folder, 'a.jsonl', pages(['2']))).toMatchObject({ entries: 1 });
    expect(readFileSync(join(folder, 'a.jsonl'), 'utf8')).toBe('2\n');
    expect(readdirSync(folder)).toEqual(['a.jsonl']);
  });

  it('that cannot be written is named, and nothing was removed', async () => {
    const path = join(folder, 'missing', 'a.jsonl');
    const failure = await writeLines(join(folder, 'missing'), 'a.jsonl', pages(['1'])).catch((error: unknown) => error);
    expect(failure).toBeInstanceOf(CommandFailed);
    expect(failure).toHaveProperty(
      'message',
      `${path} cannot be written (ENOENT). Nothing of it was removed from the database.`,
    );
    mkdirSync(join(folder, 'b.jsonl.partial'));
    await expect(writeLines(folder, 'b.jsonl', pages(['1']))).rejects.toThrow(/b\.jsonl cannot be written \(EISDIR\)/);
  });

  it('keeps the sentence of a command that failed meanwhile', async () => {
    async function* failing(): AsyncGenerator<readonly string[]> {
      yield ['1'];
      throw Object.assign(new CommandFailed('The log does not verify.'), { code: 'X' });
    }
    await expect(writeLines(folder, 'a.jsonl', failing())).rejects.toThrow('The log does not verify.');
  });
});

describe('a manifest', () => {
  it('is for its owner alone, or its path is named', async () => {
    await writeManifest(join(folder, 'a.manifest'), 'text');
    expect(statSync(join(folder, 'a.manifest')).mode & 0o777).toBe(0o600);
    await expect(writeManifest(join(folder, 'x', 'a.manifest'), 'text')).rejects.toThrow(
      /x\/a\.manifest cannot be written \(ENOENT\)/,
    );
  });
});

it('a digest is that of the bytes on disk, or the file is named', async () => {
  writeFileSync(join(folder, 'large'), 'x'.repeat(300_000));
  expect(await digestOf(join(folder, 'large'))).toBe(createHash('sha256').update('x'.repeat(300_000)).digest('hex'));
  await expect(digestOf(join(folder, 'none'))).rejects.toThrow(`${join(folder, 'none')} cannot be read (ENOENT).`);
});
