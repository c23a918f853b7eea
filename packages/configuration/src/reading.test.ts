import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import * as fc from 'fast-check';
import { afterAll, describe, expect, it } from 'vitest';
import { codeOf, printable, Reading, type Variable, wholeNumber } from './reading.ts';

const folder = mkdtempSync(join(tmpdir(), 'configuration-'));
afterAll(() => rmSync(folder, { recursive: true }));

const PORT: Variable = { name: 'PORT', form: 'a number', fallback: null, effect: 'Listens.' };

describe('a variable', () => {
  it.each([undefined, '', '  ', '\t\n'])('counts as absent where it is %j', (value) => {
    const reading = new Reading({ PORT: value });
    expect([reading.text(PORT), reading.file(PORT), reading.faults]).toEqual([null, null, []]);
    expect(reading.required(PORT)).toBeNull();
    expect(reading.faults).toEqual(['PORT: is not set. Set it to a number.']);
  });
  it('is read without the blanks around it', () => {
    expect(new Reading({ PORT: ' 6001\n' }).required(PORT)).toBe('6001');
  });
  it('is found in lower case too where that is usual', () => {
    expect(new Reading({ port: '1' }).textInEitherCase(PORT)).toBe('1');
    expect(new Reading({ port: '1', PORT: '2' }).textInEitherCase(PORT)).toBe('2');
  });
});

describe('a whole number', () => {
  const DURATION = wholeNumber({
    name: 'DURATION',
    of: 'seconds',
    least: 1,
    most: 86_400,
    fallback: 1800,
    effect: 'Lasts.',
  });
  it('is described with its bounds and its default', () => {
    expect(DURATION).toMatchObject({ form: 'whole number of seconds, 1 to 86400', fallback: '1800' });
    expect(wholeNumber({ name: 'COUNT', least: 0, most: 2, fallback: 1, effect: 'Counts.' }).form).toBe(
      'whole number, 0 to 2',
    );
  });
  it('is accepted within its bounds, and nothing else is', () => {
    fc.assert(
      fc.property(fc.oneof(fc.integer().map(String), fc.double().map(String), fc.string()), (text) => {
        const reading = new Reading({ DURATION: text });
        const value = reading.wholeNumber(DURATION);
        const trimmed = text.trim();
        const good = /^\d{1,15}$/.test(trimmed) && Number(trimmed) >= 1 && Number(trimmed) <= 86_400;
        expect(value).toBe(good ? Number(trimmed) : 1800);
        expect(reading.faults).toHaveLength(good || trimmed === '' ? 0 : 1);
      }),
      { verbose: true },
    );
  });
  it('that is invalid is reported with its bounds and its value', () => {
    const reading = new Reading({ DURATION: '0x10' });
    reading.wholeNumber(DURATION);
    expect(reading.faults).toEqual(['DURATION: must be a whole number from 1 to 86400, not "0x10".']);
  });
});

describe('a file', () => {
  it('is read whole', () => {
    writeFileSync(join(folder, 'text'), 'content\n');
    expect(new Reading({ PORT: join(folder, 'text') }).file(PORT)).toBe('content\n');
  });
  it.each([
    ['ENOENT', 'nothing'],
    ['EISDIR', '.'],
  ])('that cannot be read is a fault with the reason %s', (code, name) => {
    const reading = new Reading({ PORT: join(folder, name) });
    expect(reading.file(PORT)).toBeNull();
    expect(reading.faults).toEqual([expect.stringContaining(`PORT: names a file that cannot be read (${code}): "`)]);
  });
});

it('faults are collected, each one line', () => {
  const reading = new Reading({ PORT: 'a\nb' });
  reading.wholeNumber(wholeNumber({ name: 'PORT', least: 1, most: 2, fallback: 1, effect: 'Listens.' }));
  reading.fault(PORT, 'is odd.');
  expect(reading.faults).toEqual(['PORT: must be a whole number from 1 to 2, not "a\\nb".', 'PORT: is odd.']);
});

it('a value is shown quoted and bounded, an error by its code', () => {
  expect(printable('x'.repeat(500))).toBe(`"${'x'.repeat(120)}…"`);
  expect([codeOf(Object.assign(new Error('no'), { code: 'ENOENT' })), codeOf(new Error('why')), codeOf(7)]).toEqual([
    'ENOENT',
    'why',
    '7',
  ]);
});
