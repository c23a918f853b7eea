import { chmodSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import * as fc from 'fast-check';
import { describe, expect, it, onTestFinished } from 'vitest';
import { createHistoryStore } from './local-host.ts';

function world(content?: string) {
  const root = mkdtempSync(join(tmpdir(), 'gw-history-'));
  onTestFinished(() => rmSync(root, { recursive: true, force: true }));
  const folder = join(root, '.gateway');
  const path = join(folder, 'history.jsonl');
  if (content !== undefined) {
    mkdirSync(folder);
    writeFileSync(path, content);
  }
  return { folder, path, store: createHistoryStore(path), read: () => readFileSync(path, 'utf8') };
}
const lines = (from: number, to: number): string =>
  Array.from({ length: to - from }, (_, at) => `"message ${from + at}"\n`).join('');

describe('the history store', () => {
  it('gives back every message as it was, whatever it contains', async () => {
    const text = fc.string({ unit: 'binary', maxLength: 40 }).map((each) => each.toWellFormed());
    await fc.assert(
      fc.asyncProperty(fc.array(text, { maxLength: 5 }), async (messages) => {
        const { path, store } = world();
        for (const message of messages) await store.append(message);
        expect(await createHistoryStore(path).load()).toEqual(messages);
      }),
      { numRuns: 30 },
    );
  });

  it('loses no message after a line that a crash tore', async () => {
    const { path, store } = world('"first"\n"tor');
    await store.load();
    await store.append('second');
    expect(await createHistoryStore(path).load()).toEqual(['first', 'second']);
  });

  it('loses no message of sessions that write at the same time', async () => {
    const { path } = world();
    const [one, other] = [createHistoryStore(path), createHistoryStore(path)];
    await Promise.all(Array.from({ length: 20 }, (_, at) => (at % 2 === 0 ? one : other).append(`message ${at}`)));
    expect((await createHistoryStore(path).load()).toSorted()).toEqual(
      Array.from({ length: 20 }, (_, at) => `message ${at}`).toSorted(),
    );
  });

  it.each([
    ['Windows line ends', '"one"\r\n"two"\r\n'],
    ['blank lines', '\n\n"one"\n\n"two"\n\n'],
    ['values that are no text', 'null\n{"a":1}\n"one"\n3\n["x"]\n"two"\n'],
    ['noise', '"one"\n\0\0\0\n{{{\n"two"\n'],
  ])('reads a file with %s', async (_, content) => {
    expect(await world(content).store.load()).toEqual(['one', 'two']);
  });

  it('stores no message that is too long to be typed', async () => {
    const { store } = world();
    await store.append('x'.repeat(20_001));
    await store.append('y'.repeat(20_000));
    expect(await store.load()).toEqual(['y'.repeat(20_000)]);
  });

  it('leaves a file below twice the limit as it is', async () => {
    const { store, read } = world(lines(0, 999));
    expect([(await store.load()).at(0), read()]).toEqual(['message 499', lines(0, 999)]);
  });

  it('replaces a file at twice the limit as a whole, for its owner alone', async () => {
    const { folder, path, store, read } = world(lines(0, 1000));
    chmodSync(path, 0o644);
    await store.load();
    expect([read(), readdirSync(folder), statSync(path).mode & 0o777]).toEqual([
      lines(500, 1000),
      ['history.jsonl'],
      0o600,
    ]);
  });

  it('fails for nobody: without a file, for a directory in its place, without a home', async () => {
    const { path, folder } = world();
    mkdirSync(join(folder, 'history.jsonl'), { recursive: true });
    for (const store of [createHistoryStore(null), createHistoryStore(path), createHistoryStore('/dev/null/x')]) {
      await store.append('lost');
      expect(await store.load()).toEqual([]);
    }
  });
});
