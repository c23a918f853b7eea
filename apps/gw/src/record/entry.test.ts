import { mkdirSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { GENESIS } from '@gateway/ledger';
import * as fc from 'fast-check';
import { array, assert, constantFrom, integer, nat, property, string, tuple } from 'fast-check';
import { describe, expect, it } from 'vitest';
import { temporaryFolder } from '../testing/folder.ts';
import {
  digestHolds,
  duration,
  entryBehind,
  isSession,
  listRecords,
  RECORD_KINDS,
  type RecordEntry,
  readEntry,
  recordPath,
  timeline,
} from './entry.ts';
import { rangesIn } from './read.ts';
import { maskInput } from './writer.ts';

const AT = new Date('2026-06-01T12:00:00.000Z');
const start = { sequence: 0, digest: GENESIS };
const json = fc.jsonValue({ noUnicodeString: false }).map((value) => JSON.parse(JSON.stringify(value)) as null);

describe('an entry', () => {
  it('is read from its line as it was written, whatever its details are', () => {
    const detail = fc.dictionary(fc.stringMatching(/^d[a-z]{1,5}$/), json, { maxKeys: 4 });
    fc.assert(
      fc.property(fc.constantFrom(...RECORD_KINDS), detail, (kind, details) => {
        const entry = entryBehind(start, AT, { kind, ...details });
        const read = readEntry(JSON.stringify(entry));
        expect(read).toEqual(entry);
        expect(digestHolds(entry)).toBe(true);
        expect(entry).toMatchObject({ sequence: 1, at: AT.toISOString(), previous: GENESIS });
      }),
    );
  });

  it('does not hold with any other detail, time, kind or place in the chain', () => {
    const entry = entryBehind(start, AT, { kind: 'prompt', text: 'one' });
    const others: readonly Partial<RecordEntry>[] = [
      { text: 'two' },
      { kind: 'purge' },
      { sequence: 2 },
      { at: '2026-06-01T12:00:00.001Z' },
      { previous: 'f'.repeat(64) },
      { added: null },
    ];
    for (const other of others) expect(digestHolds({ ...entry, ...other } as RecordEntry)).toBe(false);
  });

  const line = JSON.stringify(entryBehind(start, AT, { kind: 'prompt', text: 'one' }));
  it.each([
    ['with a blank', line.replace(':', ': ')],
    ['with a member twice', line.replace('{', '{"kind":"prompt",')],
    ['of an unknown kind', line.replace('"prompt"', '"thought"')],
    ['with the number 0', line.replace('"sequence":1', '"sequence":0')],
    ['with half a number', line.replace('"sequence":1', '"sequence":1.5')],
    ['with a number as text', line.replace('"sequence":1', '"sequence":"1"')],
    ['without a time', line.replace(/"at":"[^"]*"/, '"at":"yesterday"')],
    ['with a digest in capitals', line.replace(/"digest":"[^"]*"/, `"digest":"${'A'.repeat(64)}"`)],
    ['with a short digest', line.replace(/"digest":"../, '"digest":"')],
    ['that is a list', `[${line}]`],
    ['that is null', 'null'],
    ['that is cut', line.slice(0, -1)],
    ['that is empty', ''],
  ])('%s is none', (_, text) => {
    expect(text).not.toBe(line);
    expect(readEntry(text)).toBeNull();
  });

  it.each(['sequence', 'at', 'previous', 'digest'])('takes no %s from its caller', (name) => {
    expect(() => entryBehind(start, AT, { kind: 'prompt', [name]: 'x' })).toThrow(
      `"${name}" is a member of every entry`,
    );
  });
});

it('every text of an entry is masked, at any depth, in names and values, and nothing else changes', () => {
  const mask = (text: string): string => text.replaceAll('s', '*');
  fc.assert(
    fc.property(json, (value) => {
      const { detail } = maskInput({ kind: 'session-started', detail: value }, mask);
      expect(JSON.stringify(detail ?? null).replaceAll('false', '')).not.toContain('s');
    }),
  );
  const nested = { list: ['sss', { sub: 's', n: 1, b: false, z: null }] };
  expect(maskInput({ kind: 'session-started', detail: nested, none: undefined }, mask)).toEqual({
    kind: 'session-started',
    detail: { 'li*t': ['***', { '*ub': '*', n: 1, b: false, z: null }] },
  });
});

describe('the ranges that a purge names', () => {
  const digest = 'a'.repeat(64);
  const range = { first: 1, last: 2, previous: GENESIS, digest, from: 'x', until: 'y' };
  const purge = (removed: unknown): RecordEntry =>
    ({ ...entryBehind({ sequence: 4, digest }, AT, { kind: 'purge' }), removed }) as RecordEntry;

  it('say what was removed, when and by which entry', () => {
    expect(rangesIn([purge([range])])).toEqual([{ ...range, provedBy: 5, purgedAt: AT.toISOString() }]);
  });

  it.each([
    ['backwards', { ...range, first: 3 }],
    ['from 0', { ...range, first: 0 }],
    ['up to the entry itself', { ...range, last: 5 }],
    ['beyond the entry', { ...range, last: 9 }],
    ['without a digest', { ...range, digest: '' }],
    ['with a number as text', { ...range, last: '2' }],
    ['that is null', null],
    ['that is a text', 'all'],
  ])('count for nothing: %s', (_, wrong) => {
    expect(rangesIn([purge([wrong])])).toEqual([]);
    expect(rangesIn([purge([wrong, range])])).toHaveLength(1);
  });

  it('are none of another kind of entry, nor of a purge without a list', () => {
    expect(rangesIn([{ ...purge([range]), kind: 'prompt' }, purge('all'), purge(null)])).toEqual([]);
  });
});

describe('the records of a user', () => {
  const id = (digit: number): string => `0198c0de-0000-7000-8000-00000000000${digit}`;
  it('are listed, the latest change first, and nothing else that lies there', async () => {
    const home = temporaryFolder();
    expect(await listRecords(home)).toEqual([]);
    const folder = join(home, '.gateway', 'record');
    mkdirSync(join(folder, `${id(9)}.jsonl`), { recursive: true });
    for (const [at, digit] of [2, 3, 1].entries()) {
      writeFileSync(recordPath(home, id(digit)), '');
      utimesSync(recordPath(home, id(digit)), at, at);
    }
    for (const name of ['notes.txt', `${id(4)}.jsonl.lock`, `${id(5)}.JSONL`, 'x.jsonl'])
      writeFileSync(join(folder, name), '');
    expect((await listRecords(home)).map(({ session }) => session)).toEqual([id(1), id(3), id(2)]);
    rmSync(folder, { recursive: true });
    writeFileSync(folder, '');
    await expect(listRecords(home)).rejects.toThrow('ENOTDIR');
  });

  it.each(['../secret', '', 'x', `${id(1)}.jsonl`, id(1).toUpperCase(), `${id(1)}/..`, `${id(1)}\n`])(
    'do not include one named %j',
    (word) => {
      expect(isSession(word)).toBe(false);
    },
  );
});

const entry = (sequence: number, at: string, detail: Readonly<Record<string, unknown>> = {}): RecordEntry =>
  ({
    sequence,
    at,
    kind: 'prompt',
    ...detail,
    previous: '0'.repeat(64),
    digest: '0'.repeat(64),
  }) as unknown as RecordEntry;

describe('a duration', () => {
  it.each([
    [0, '0 ms'],
    [999, '999 ms'],
    [1000, '1.0 s'],
    [59_949, '59.9 s'],
    [59_950, '1 m 0 s'],
    [60_000, '1 m 0 s'],
    [119_499, '1 m 59 s'],
    [119_500, '2 m 0 s'],
    [3_599_499, '59 m 59 s'],
    [3_599_500, '1 h 0 m'],
    [86_399_000, '23 h 59 m'],
    [86_400_000, '1 d'],
    [200_000_000, '2 d'],
    [-1, ''],
    [Number.NaN, ''],
  ])('of %d ms is %j', (milliseconds, text) => {
    expect(duration(milliseconds)).toBe(text);
  });

  it('has no unit beyond its end, and never shrinks', () => {
    const unit = { ms: 1, s: 1000, m: 60_000, h: 3_600_000, d: 86_400_000 };
    const valueOf = (text: string): number =>
      Array.from(
        text.matchAll(/([\d.]+) (ms|s|m|h|d)/g),
        ([, number, name]) => Number(number) * unit[name as 'ms'],
      ).reduce((sum, one) => sum + one, 0);
    assert(
      property(nat({ max: 200_000_000 }), nat({ max: 1_000_000 }), (one, more) => {
        expect(duration(one)).not.toMatch(/\b(?:60 s|60 m|24 h|60\.0 s|1000 ms)/);
        expect(valueOf(duration(one + more))).toBeGreaterThanOrEqual(valueOf(duration(one)));
      }),
      { numRuns: 2000 },
    );
  });
});

describe('a timeline', () => {
  it('is empty without entries', () => {
    expect(timeline([])).toBe('');
  });

  it('names the day where it changes, and how long each entry lasted', () => {
    const entries = [
      entry(9, '2026-01-01T23:59:58.000Z', { text: 'one' }),
      entry(10, '2026-01-01T23:59:59.500Z'),
      entry(11, '2026-01-02T00:00:00.250Z', { target: { kind: 'path', value: 'a.ts' }, list: [1] }),
    ];
    expect(timeline(entries).split('\n')).toEqual([
      '2026-01-01 (UTC)',
      '   9  23:59:58.000     1.5 s  prompt  text: one',
      '  10  23:59:59.500    750 ms  prompt',
      '2026-01-02 (UTC)',
      '  11  00:00:00.250            prompt  target: a.ts, list: [1]',
      '',
    ]);
  });

  it('has one line for each entry, with nothing invisible in it, for any text', () => {
    const text = tuple(string({ unit: 'grapheme' }), constantFrom('', '\n', '\u001b[2J', '\u202e', '\u2028')).map(
      (parts) => parts.join(''),
    );
    assert(
      property(array(text, { minLength: 1, maxLength: 5 }), (texts) => {
        const shown = timeline(texts.map((one, index) => entry(index + 1, '2026-01-01T00:00:00.000Z', { text: one })));
        expect(shown.split('\n')).toHaveLength(texts.length + 2);
        expect(shown.replaceAll('\n', '')).not.toMatch(/[\p{Cc}\u2028\u202e]/u);
      }),
    );
  });

  it('shortens long details, and says by how much', () => {
    assert(
      property(integer({ min: 395, max: 1000 }), (length) => {
        const shown = timeline([entry(1, '2026-01-01T00:00:00.000Z', { text: '🔒'.repeat(length) })]);
        const more = /… \((\d+) more characters: --json\)/.exec(shown)?.[1];
        expect(Number(more ?? 0)).toBe(Math.max(0, length + 'text: '.length - 400));
      }),
    );
  });
});
