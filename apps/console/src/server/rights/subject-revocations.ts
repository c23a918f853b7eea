import { reason, subject } from '@gateway/access/declarations';
import { liftSubject, liftSubjects, revokeSubject, revokeSubjects } from '@gateway/database/administration';
import { listSubjectRevocations, lockSubjectRevocation, type SubjectRevocation } from '@gateway/database/console';
import * as z from 'zod';
import { createdResponse, okResponse, refuseTaken, unknown } from '../http/answers.ts';
import { exactly, filterOf, flag, searchText } from '../input/fields.ts';
import { pageAsked, pageOf, sortedPagingSchema } from '../input/page.ts';
import { administer } from '../routing/administer.ts';
import { type Right, type Route, route } from '../routing/route.ts';

/** Subjects of one request. */
const MOST_SUBJECTS = 500;
const LIST = `must be a list of 1 to ${MOST_SUBJECTS} subjects`;

/** The member of a body that names the subjects. */
export const listOfSubjects = z.array(z.string(), LIST).min(1, LIST).max(MOST_SUBJECTS, LIST);

const right: Right = { permission: 'sessions:revoquer' };

const list = route({
  method: 'GET',
  path: '/api/subject-revocations',
  right,
  summary: 'Lists the revoked subjects with reason and author, the newest revocation first.',
  answers: '200 `{subjectRevocations, next}`',
  query: z.strictObject({
    ...sortedPagingSchema('subjectRevocations', z.tuple([z.guid()]), {
      usual: '-revokedAt',
      columns: { subject: 'text', author: 'text', reason: 'text', liftedAt: 'timestamptz' },
    }),
    subject: exactly,
    subjectPart: searchText,
    inForce: flag.optional(),
  }),
  async handle({ query, services }) {
    const page = pageAsked(query);
    const rows = await listSubjectRevocations(
      services.database,
      filterOf(query, ['subject', 'subjectPart', 'inForce']),
      page,
    );
    return okResponse(pageOf('subjectRevocations', rows, page, ({ id }) => [id]));
  },
});

const revoke = route({
  method: 'POST',
  path: '/api/subject-revocations',
  right,
  summary: 'Revokes a subject: every request from now is refused, until the revocation is lifted.',
  answers: '201 subject revocation',
  body: z.strictObject({ subject, reason }),
  async handle(call) {
    const { subject, reason } = call.body;
    const outcome = await administer<SubjectRevocation, 'taken'>(
      call,
      async (act) => (await revokeSubject(act, subject, reason)) ?? act.abandon('taken'),
    );
    return 'done' in outcome
      ? createdResponse(outcome.done)
      : refuseTaken('revocation in force', 'subject', 'is revoked already');
  },
});

const revokeBatch = route({
  method: 'POST',
  path: '/api/subject-revocations/batch',
  right,
  summary: 'Revokes 1 to 500 subjects with one reason, as one is revoked. Each is refused by itself.',
  answers:
    '200 `{results}`: `subject`, `outcome` (`revoked`, `held`, `refused`) and `error` of each, in the order given',
  body: z.strictObject({ subjects: listOfSubjects, reason }),
  async handle(call) {
    const read = readSubjects(call.body.subjects);
    const outcome = await administer(call, (act) => revokeSubjects(act, read.sound, call.body.reason));
    if ('violated' in outcome) throw conflict(outcome.violated.constraint);
    return read.answer((one) => ({ outcome: outcome.done.has(one) ? 'revoked' : 'held' }));
  },
});

const liftBatch = route({
  method: 'POST',
  path: '/api/subject-revocations/batch-lift',
  right,
  summary: 'Lifts the revocations in force of 1 to 500 subjects. Each is refused by itself.',
  answers: '200 `{results}`: `subject`, `outcome` (`lifted`, `refused`) and `error` of each, in the order given',
  body: z.strictObject({ subjects: listOfSubjects, reason }),
  async handle(call) {
    const read = readSubjects(call.body.subjects);
    const outcome = await administer(call, (act) => liftSubjects(act, read.sound, call.body.reason));
    if ('violated' in outcome) throw conflict(outcome.violated.constraint);
    return read.answer((one) =>
      outcome.done.has(one) ? { outcome: 'lifted' } : { outcome: 'refused', error: 'The subject is not revoked.' },
    );
  },
});

const conflict = (constraint: string): Error => new Error(`revocations conflicted with another change (${constraint})`);

const lift = route({
  method: 'POST',
  path: '/api/subject-revocations/:id/lift',
  right,
  summary: 'Lifts a revocation: the subject is served again. Lifting it again changes nothing.',
  answers: '200 subject revocation',
  body: z.strictObject({ reason }),
  async handle(call) {
    const outcome = await administer<SubjectRevocation, 'absent'>(call, async (at) => {
      const { id } = call.parameters;
      const before = (await lockSubjectRevocation(at.sql, { id })) ?? at.abandon('absent');
      return liftSubject(at, before, call.body.reason);
    });
    return 'done' in outcome ? okResponse(outcome.done) : unknown('subject revocation');
  },
});

export const subjectRevocationRoutes: readonly Route[] = [list, revoke, revokeBatch, liftBatch, lift];

/** What became of one subject. */
interface Came {
  readonly outcome: string;
  readonly error?: string | null;
}

interface ReadSubjects {
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
