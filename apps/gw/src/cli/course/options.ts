export const ACTIONS = ['follow', 'review', 'check', 'design'] as const;

export interface CourseOptions {
  readonly action: (typeof ACTIONS)[number];
  /** Path of the course; null takes those of the project. */
  readonly course: string | null;
  readonly update: boolean;
  readonly json: boolean;
  readonly label: string | null;
  readonly output: string | null;
  readonly config: string | null;
}
