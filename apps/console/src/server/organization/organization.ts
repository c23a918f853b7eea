import { name, slug } from '@gateway/access/declarations';
import { isOrganizationName, isOrganizationSlug } from '@gateway/contract';
import { insertOrganization, readOrganizations } from '@gateway/database/console';
import { v7 as uuid } from 'uuid';
import * as z from 'zod';
import { created, shown, taken } from '../http/answers.ts';
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
    return shown({ organization: organizations.length === 1 ? organizations[0] : null, organizations });
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
    const organization = { id: uuid(), ...call.body };
    const outcome = await administer(call, async ({ sql, record }) => {
      await insertOrganization(sql, organization);
      const target = `organization:${organization.slug}`;
      await record({ action: 'organization.create', target, before: null, after: organization });
    });
    return 'violated' in outcome ? taken('organization', 'slug') : created({ ...organization, policy: null });
  },
});

export const organizationRoutes = [read, create];
