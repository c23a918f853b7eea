import { name, slug } from '@gateway/access/declarations';
import { isOrganizationName, isOrganizationSlug } from '@gateway/contract';
import { createOrganization, type NamedOrganization } from '@gateway/database/administration';
import { readOrganizations } from '@gateway/database/console';
import * as z from 'zod';
import { createdResponse, okResponse, refuseTaken } from '../http/answers.ts';
import { administer } from '../routing/administer.ts';
import { route } from '../routing/route.ts';

const read = route({
  method: 'GET',
  path: '/api/organization',
  right: { permission: 'politique-d-organisation:administrer' },
  summary: 'Shows the organizations with their policies in force.',
  answers: '200 `{organization, organizations}`: the organization if there is exactly one, and all of them',
  async handle({ services }) {
    const organizations = await readOrganizations(services.database);
    return okResponse({ organization: organizations.length === 1 ? organizations[0] : null, organizations });
  },
});

const create = route({
  method: 'POST',
  path: '/api/organization',
  right: { permission: 'organisations:administrer' },
  summary: 'Creates an organization. It has no policy yet.',
  answers: '201 organization',
  body: z.strictObject({
    slug: slug.refine(isOrganizationSlug),
    name: name.refine(isOrganizationName, 'must be a readable name of at most 200 characters'),
  }),
  async handle(call) {
    const outcome = await administer<NamedOrganization, 'taken'>(
      call,
      async (act) => (await createOrganization(act, call.body)) ?? act.abandon('taken'),
    );
    return 'done' in outcome ? createdResponse({ ...outcome.done, policy: null }) : refuseTaken('organization', 'slug');
  },
});

export const organizationRoutes = [read, create];
