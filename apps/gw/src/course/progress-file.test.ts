import { existsSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { temporaryFolder } from '../testing/folder.ts';
import { finish, isDue, NO_PROGRESS, progressOf, review, withLesson } from './progress.ts';
import { progressPath, readProgress, writeProgress } from './progress-file.ts';

const NOW = new Date('2026-01-01T00:00:00.000Z');
const later = (days: number): Date => new Date(NOW.getTime() + days * 86_400_000);
const SOME = withLesson(NO_PROGRESS, 'docs/course/one.md', 'total', finish(NOW, { 'a.ts#b': 'sha256:1' }));

function place(): string {
  return progressPath(temporaryFolder(), '/srv/shop') ?? '';
}
const put = (path: string, text: string): void => {
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, text);
};

describe('the progress of a person', () => {
  it('is read as it was written, by its owner alone, and nothing else is left behind', async () => {
    const path = place();
    expect(await readProgress(path)).toEqual(NO_PROGRESS);
    expect(existsSync(dirname(path))).toBe(false);
    await writeProgress(path, NO_PROGRESS);
    await writeProgress(path, SOME);
    expect(await readProgress(path)).toEqual(SOME);
    expect([statSync(path).mode & 0o777, statSync(dirname(path)).mode & 0o777]).toEqual([0o600, 0o700]);
    expect(readdirSync(dirname(path))).toHaveLength(1);
  });

  it('is one file for each project', () => {
    expect(progressPath('/home/casey', '/work/one')).not.toBe(progressPath('/home/casey', '/work/two'));
    expect(progressPath('/home/casey', '/work/one')).toBe(progressPath('/home/casey', '/work/one'));
  });

  it.each([
    '',
    '{',
    'null',
    '{"version":2,"courses":{}}',
    '{"version":1}',
    '{"version":1,"courses":{"a.md":{"one":{"finishedAt":"soon","reviewedAt":"soon","recalled":0,"digests":{}}}}}',
    '{"version":1,"courses":{"a.md":{"one":{"recalled":-1}}}}',
  ])('that is damaged, as %j, is named and left as it is', async (text) => {
    const path = place();
    put(path, text);
    await expect(readProgress(path)).rejects.toThrow(
      `${path} cannot be read as the progress of a course. Repair it, or move it away.`,
    );
    expect(readFileSync(path, 'utf8')).toBe(text);
  });

  it('that cannot be written is reported, and nothing is left behind', async () => {
    const path = place();
    put(join(path, 'in-the-way'), '');
    await expect(writeProgress(path, SOME)).rejects.toThrow(`${path} cannot be written: `);
    expect(readdirSync(dirname(path))).toHaveLength(1);
  });

  it('cannot be kept without a home directory', async () => {
    expect(progressPath(null, '/srv/shop')).toBeNull();
    expect(await readProgress(null)).toEqual(NO_PROGRESS);
    await expect(writeProgress(null, SOME)).rejects.toThrow('you have no home directory. Set HOME.');
  });

  it.each(['constructor', 'toString', 'hasOwnProperty'])(
    'has nothing of a lesson named %s that was never finished',
    (id) => {
      expect(progressOf(SOME, 'docs/course/one.md', id)).toBeNull();
      expect(progressOf(SOME, id, 'total')).toBeNull();
    },
  );
});

describe('a lesson that is recalled each time', () => {
  it('is due after 1, 3, 7, 21, 60 and 180 days, and then twice a year', () => {
    let [lesson, at] = [finish(NOW, {}), 0];
    for (const days of [1, 3, 7, 21, 60, 180, 180, 180]) {
      expect([isDue(lesson, later(at + days - 0.001)), isDue(lesson, later(at + days))]).toEqual([false, true]);
      at += days;
      lesson = review(lesson, later(at), {}, true);
    }
  });

  it('keeps the day on which it was finished, and has the digests of its last review', () => {
    const lesson = review(finish(NOW, { a: '1' }), later(2), { a: '2' }, true);
    expect(lesson).toEqual({
      finishedAt: NOW.toISOString(),
      reviewedAt: later(2).toISOString(),
      recalled: 1,
      digests: { a: '2' },
    });
  });
});
