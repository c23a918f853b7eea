import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { PassThrough, Writable } from 'node:stream';
import { afterAll, describe, expect, it } from 'vitest';
import { CommandFailed, OutputClosed, print, type Terminal, WrongUsage } from './context.ts';
import { readText } from './find.ts';
import { sequenceOf } from './operator.ts';
import { writeTo } from './progress.ts';

const folder = mkdtempSync(join(tmpdir(), 'files-'));
afterAll(() => rmSync(folder, { recursive: true }));
const file = (content: string | Buffer): string => {
  const path = join(folder, 'file');
  writeFileSync(path, content);
  return path;
};

describe('a text that a command reads', () => {
  it.each([
    ['', ''],
    ['é\n', 'é\n'],
    ['\ufeffversion: 1\r\n', 'version: 1\r\n'],
    ['\ufeff\ufeffx', '\ufeffx'],
  ])('%j is read without the mark before it', (content, text) => {
    expect(readText(file(content))).toBe(text);
  });

  it('is UTF-8, or refused with its name and the remedy', () => {
    for (const content of [Buffer.from('é', 'latin1'), Buffer.from('\ufeffx', 'utf16le'), Buffer.from([0xc3])]) {
      const path = file(content);
      expect(() => readText(path)).toThrow(`${path} is not UTF-8: save it as plain text in UTF-8.`);
    }
  });

  it('that cannot be read is named with the code of the system', () => {
    expect(() => readText(join(folder, 'missing'))).toThrow(`${join(folder, 'missing')} cannot be read (ENOENT).`);
    expect(() => readText(folder)).toThrow(`${folder} cannot be read (EISDIR).`);
  });
});

describe('the sequence of an entry', () => {
  it('is a whole number of any size of the database, or 0 without the option', () => {
    expect([sequenceOf('--after'), sequenceOf('--after', '0'), sequenceOf('--after', '007')]).toEqual([0n, 0n, 7n]);
    expect(sequenceOf('--after', '999999999999999999')).toBe(999_999_999_999_999_999n);
  });

  it.each(['', '-1', '1.0', '1e3', ' 1', '0x1', '9'.repeat(19), 'last'])(
    'is not %j, and the option is named',
    (text) => {
      expect(() => sequenceOf('--after', text)).toThrow(WrongUsage);
      expect(() => sequenceOf('--after', text)).toThrow('--after takes the sequence of an entry.');
    },
  );
});

describe('standard output', () => {
  it('is waited for', async () => {
    const output = new PassThrough();
    await writeTo(output, 'text');
    expect(String(output.read())).toBe('text');
  });

  it.each([
    ['EPIPE', OutputClosed, ''],
    ['ENOSPC', CommandFailed, 'Standard output cannot be written: no space.'],
  ])('that fails with %s is distinguished', async (code, kind, message) => {
    const output = new Writable({
      write: (_chunk, _encoding, done) => done(Object.assign(new Error('no space'), { code })),
    });
    output.on('error', () => {});
    const failure = await writeTo(output, 'text').catch((error: unknown) => error);
    expect(failure).toBeInstanceOf(kind);
    expect(failure).toHaveProperty('message', message);
  });
});

describe('a result', () => {
  const printed = async (json: boolean, value: unknown, lines: readonly string[], fail?: Error) => {
    const texts: string[] = [];
    const terminal = {
      write: async (text: string) => {
        if (fail !== undefined) throw fail;
        texts.push(text);
      },
    } as unknown as Terminal;
    await print({ json, terminal } as Parameters<typeof print>[0], value, lines);
    return texts.join('');
  };

  it('is one JSON document, or lines that end', async () => {
    expect(await printed(true, { a: 'é\n' }, ['x'])).toBe('{"a":"é\\n"}\n');
    expect(await printed(false, {}, ['one', 'two'])).toBe('one\ntwo\n');
    expect(await printed(false, [], [])).toBe('');
    expect(await printed(true, [], [])).toBe('[]\n');
  });

  it('whose reader has gone is no failure, and one that cannot be written is', async () => {
    expect(await printed(false, {}, ['x'], new OutputClosed())).toBe('');
    await expect(printed(false, {}, ['x'], new CommandFailed('full'))).rejects.toThrow('full');
  });
});
