import { subject } from '@gateway/access/declarations';
import * as z from 'zod';
import { okResponse } from '../http/answers.ts';

/** Subjects of one request. */
const MOST_SUBJECTS = 500;
const LIST = `must be a list of 1 to ${MOST_SUBJECTS} subjects`;

/** The member of a body that names the subjects. */
export const listOfSubjects = z.array(z.string(), LIST).min(1, LIST).max(MOST_SUBJECTS, LIST);

/** What became of one subject. */
interface Came {
  readonly outcome: string;
  readonly error?: string | null;
}

export interface ReadSubjects {
  /** Those that are well-formed, in the order given. */
  readonly sound: readonly string[];
  /** The answer: one result for each subject, in the order given. `at` is the position among the sound ones. */
  readonly answer: (cameOf: (subject: string, at: number) => Came) => Response;
}

/** Checks each subject by itself: a malformed one is refused alone. */
export function readSubjects(given: readonly string[]): ReadSubjects {
  const read = given.map((one) => ({ one, checked: subject.safeParse(one) }));
  return {
    sound: read.flatMap(({ checked }) => (checked.success ? [checked.data] : [])),
    answer(cameOf) {
      let at = 0;
      const results = read.map(({ one, checked }) =>
        checked.success
          ? { subject: one, ...cameOf(checked.data, at++) }
          : { subject: one, outcome: 'refused', error: `The subject ${checked.error.issues[0]?.message}.` },
      );
      return okResponse({ results });
    },
  };
}
