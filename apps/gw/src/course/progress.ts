import * as s from '../schema/index.ts';

/** Days after which a finished lesson is due again, each time it was recalled. */
const INTERVALS_DAYS = [1, 3, 7, 21, 60, 180] as const;
const DAY_MS = 86_400_000;

const LESSON = s.object({
  finishedAt: s.instant(),
  reviewedAt: s.instant(),
  /** How often it was recalled since it was finished. */
  recalled: s.integer({ min: 0 }),
  /** Digest of each link's code when it was finished or last reviewed, by `path#symbol`. */
  digests: s.record(s.string()),
});
export const PROGRESS = s.object({
  version: s.literal(1),
  courses: s.record(s.record(LESSON)),
});

export type LessonProgress = s.Infer<typeof LESSON>;
/** What a person finished, by course file and lesson. */
export type Progress = s.Infer<typeof PROGRESS>;

export const NO_PROGRESS: Progress = { version: 1, courses: {} };

export function progressOf(progress: Progress, course: string, lesson: string): LessonProgress | null {
  // Names are anybody's: a lesson may be called as a member that every object has.
  const lessons = Object.hasOwn(progress.courses, course) ? progress.courses[course] : undefined;
  return lessons !== undefined && Object.hasOwn(lessons, lesson) ? (lessons[lesson] ?? null) : null;
}

/** The progress after a lesson was finished, recalled or not recalled. */
export function withLesson(progress: Progress, course: string, lesson: string, value: LessonProgress): Progress {
  return { ...progress, courses: { ...progress.courses, [course]: { ...progress.courses[course], [lesson]: value } } };
}

export function finish(now: Date, digests: Readonly<Record<string, string>>): LessonProgress {
  const at = now.toISOString();
  return { finishedAt: at, reviewedAt: at, recalled: 0, digests };
}

/** A lesson that was not recalled starts again with the shortest interval. */
export function review(
  last: LessonProgress,
  now: Date,
  digests: Readonly<Record<string, string>>,
  remembered: boolean,
): LessonProgress {
  return { ...last, reviewedAt: now.toISOString(), recalled: remembered ? last.recalled + 1 : 0, digests };
}

export function isDue({ reviewedAt, recalled }: LessonProgress, now: Date): boolean {
  const days = INTERVALS_DAYS[Math.min(recalled, INTERVALS_DAYS.length - 1)] ?? 1;
  return now.getTime() - Date.parse(reviewedAt) >= days * DAY_MS;
}
