import { isIP } from 'node:net';
import { explain } from '@gateway/access';
import { subject } from '@gateway/access/declarations';
import { readServed, rolesOf } from '@gateway/database/administration';
import { readPolicyStanding } from '@gateway/database/console';
import * as z from 'zod';
import { okResponse, unknown } from '../http/answers.ts';
import { route } from '../routing/route.ts';

/** Says whether a call would be served, without making it. It names policies, and shows none of their texts. */
export const explainRoute = route({
  method: 'POST',
  path: '/api/policies/explain',
  right: { permission: 'politique:administrer' },
  summary:
    'Says whether a subject may call an endpoint now, and which policies refuse. `method` is POST and `path` that of chat completions where they are absent. Nothing is called or recorded as a call.',
  answers: '200 `{allowed, reason, policies}`',
  body: z.strictObject({
    subject,
    endpoint: z.string().min(1, 'must not be empty').max(200),
    method: z
      .string()
      .regex(/^[A-Za-z]{1,20}$/, 'must be an HTTP method')
      .default('POST'),
    path: z.string().startsWith('/', 'must begin with /').max(2000).optional(),
    sourceAddress: z
      .string()
      .refine((text) => isIP(text) !== 0, 'must be an IP address')
      .optional(),
  }),
  async handle({ body, services, sourceAddress }) {
    const { database } = services;
    const served = await readServed(database, body.endpoint);
    if (served === null) return unknown('endpoint');
    const standing = await readPolicyStanding(database, body.subject, body.endpoint);
    const explanation = explain(
      {
        subject: body.subject,
        roles: await rolesOf(database, body.subject, null),
        permission: 'inference:appeler',
        resource: { type: 'Endpoint', name: body.endpoint, ...served },
        call: {
          session: null,
          method: body.method,
          path: body.path ?? `/${body.endpoint}/v1/chat/completions`,
          sourceAddress: body.sourceAddress ?? sourceAddress,
          at: new Date(),
        },
      },
      await services.policies.compiled(database, standing.policy),
    );
    const policies = explanation.policies.filter(({ says }) => says !== 'nothing').map(({ policy }) => policy);
    const { fault } = standing;
    return okResponse({
      allowed: fault === null && explanation.granted,
      reason: fault ?? explanation.reason,
      policies: explanation.held ? policies : [],
    });
  },
});
