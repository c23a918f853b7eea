import { reason, subject } from '@gateway/access/declarations';
import { liftSubject, revokeSubject } from '@gateway/database/administration';
import { listSubjectRevocations, lockSubjectRevocation, type SubjectRevocation } from '@gateway/database/console';
import * as z from 'zod';
import { createdResponse, okResponse, refuseTaken, unknown } from '../http/answers.ts';
import { exactly, filterOf, searchText } from '../input/filter.ts';
import { flag } from '../input/flag.ts';
import { pageAsked, pageOf, sortedPagingSchema } from '../input/page.ts';
import { administer } from '../routing/administer.ts';
import { type Right, type Route, route } from '../routing/route.ts';

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

export const subjectRevocationRoutes: readonly Route[] = [list, revoke, lift];
