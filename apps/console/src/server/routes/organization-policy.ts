import { type DocumentFault, parseOrganizationPolicy } from '@gateway/contract';
import { name, slug } from '@gateway/contract/fields';
import {
  createOrganization,
  installOrganizationPolicy,
  type NamedOrganization,
  refuseOrganizationPolicy,
} from '@gateway/domain/organization/acts';
import { type Organization, readOrganizations } from '@gateway/domain/organization/console';
import { isOrganizationName, isOrganizationSlug, parseValidity } from '@gateway/domain/organization/shape';
import { listPolicyAttempts } from '@gateway/domain/policy/console';
import { maskText } from '@gateway/secrets';
import * as z from 'zod';
import { administer } from '../http/administer.ts';
import { createdResponse, faulty, okResponse, refuseTaken, unknown } from '../http/answers.ts';
import { secretsIn } from '../http/body.ts';
import { exactly, filterOf, instant } from '../http/fields.ts';
import { pageAsked, pageOf, sortedPagingSchema } from '../http/page.ts';
import { type Call, type Route, route } from '../http/route.ts';

const body = z.strictObject({
  document: z.unknown().optional(),
  validFrom: z.unknown().optional(),
  validUntil: z.unknown().optional(),
  organization: z.string().max(200).optional(),
});
type Body = z.infer<typeof body>;

/** Members of the document are named below `document`, as in the body. */
function fieldsOf(faults: readonly DocumentFault[], below: string): [string, string][] {
  return faults.map(({ path, reason }) => [[below, path].filter(Boolean).join('.'), reason]);
}

/** Every fault of the submitted policy, by the name of the member; empty if it may be installed. */
function faultsOf(given: Body): Readonly<Record<string, string>> {
  const parsed = parseOrganizationPolicy(given.document);
  const period = parseValidity(given);
  return Object.fromEntries([
    ...Object.entries(secretsIn(JSON.stringify(given))),
    ...('faults' in parsed ? fieldsOf(parsed.faults, 'document') : []),
    ...('faults' in period ? fieldsOf(period.faults, '') : []),
  ]);
}

/** Keeps an attempt that failed, with its author (workstation-4). */
async function recordRefusal(
  call: Call<Body, unknown>,
  organization: Organization,
  faults: Readonly<Record<string, string>>,
): Promise<Response> {
  const sentences = Object.entries(faults).map(([field, sentence]) => `${field} ${sentence}`);
  const refused = { document: call.body.document, fault: sentences.join('; ') };
  await administer(call, (act) => refuseOrganizationPolicy(act, organization.slug, refused, maskText));
  return faulty(faults);
}

async function impose(call: Call<Body, unknown>, organization: Organization): Promise<Response> {
  const parsed = parseOrganizationPolicy(call.body.document);
  const period = parseValidity(call.body);
  const faults = faultsOf(call.body);
  if ('faults' in parsed || 'faults' in period || Object.keys(faults).length > 0) {
    return recordRefusal(call, organization, faults);
  }
  const policy = { document: parsed.policy, ...period.validity };
  const outcome = await administer(call, (act) => installOrganizationPolicy(act, organization, policy));
  if ('violated' in outcome)
    throw new Error(`imposing a policy conflicted with another change (${outcome.violated.constraint})`);
  return createdResponse({ organization: organization.slug, ...outcome.done });
}

const install = route({
  method: 'POST',
  path: '/api/organization/policy',
  right: { permission: 'politique-d-organisation:administrer' },
  summary:
    'Installs a policy for the workstations of an organization, optionally with a validity period. If there are several organizations, `organization` is the slug. Every attempt is recorded, including refused ones.',
  answers: '201 `{organization, revision, document, producedAt, validFrom, validUntil, author}`',
  body,
  attempted: true,
  async handle(call) {
    const organizations = await readOrganizations(call.services.database);
    const wanted = call.body.organization;
    if (wanted === undefined && organizations.length > 1) {
      return faulty({ organization: 'is missing: there are several organizations, so one must be named by its slug' });
    }
    const organization = wanted === undefined ? organizations[0] : organizations.find(({ slug }) => slug === wanted);
    return organization === undefined ? unknown('organization') : impose(call, organization);
  },
});

const attempts = route({
  method: 'GET',
  path: '/api/audit/organization-policy',
  right: { permission: 'politique-d-organisation:lire' },
  summary:
    'Lists every attempt to install a policy with its author, including refused ones, and the policies in force.',
  answers: '200 `{attempts, next, organizations}`',
  query: z.strictObject({
    ...sortedPagingSchema('attempts', z.tuple([instant, z.guid()]), {
      usual: '-at',
      columns: { author: 'text', outcome: 'text', organization: 'text', revision: 'float8' },
    }),
    author: exactly,
    outcome: z.enum(['installed', 'refused']).optional(),
  }),
  async handle({ query, services }) {
    const filter = { kind: 'organization', ...filterOf(query, ['author', 'outcome']) } as const;
    const page = pageAsked(query);
    const [rows, organizations] = await Promise.all([
      listPolicyAttempts(services.database, filter, page),
      readOrganizations(services.database),
    ]);
    return okResponse({ ...pageOf('attempts', rows, page, (row) => [row.at, row.id]), organizations });
  },
});

export const organizationPolicyRoutes: readonly Route[] = [install, attempts];

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
