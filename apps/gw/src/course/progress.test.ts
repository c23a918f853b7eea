import { expect, it } from 'vitest';
import { finish, isDue, NO_PROGRESS, progressOf, review, withLesson } from './progress.ts';

const START = new Date('2026-01-01T00:00:00.000Z');
const after = (days: number): Date => new Date(START.getTime() + days * 86_400_000);

it('asks again after longer and longer intervals, and soon after a lapse', () => {
  let lesson = finish(START, {});
  expect([isDue(lesson, after(0.9)), isDue(lesson, after(1))]).toEqual([false, true]);
  lesson = review(lesson, after(1), {}, true);
  expect([isDue(lesson, after(3)), isDue(lesson, after(4))]).toEqual([false, true]);
  lesson = review(lesson, after(4), {}, false);
  expect(isDue(lesson, after(5))).toBe(true);
});

it('keeps what was finished by course and lesson', () => {
  const lesson = finish(START, { 'a.ts#b': 'sha256:1' });
  const progress = withLesson(withLesson(NO_PROGRESS, 'x.md', 'one', lesson), 'y.md', 'one', lesson);
  expect(progressOf(progress, 'x.md', 'one')).toEqual(lesson);
  expect(progressOf(progress, 'x.md', 'two')).toBeNull();
  expect(NO_PROGRESS.courses).toEqual({});
});
