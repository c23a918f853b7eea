import { isIP } from 'node:net';
import { checkHandedIn, describeFault, type Explanation, explain } from '@gateway/access';
import { matrixGrants, refusal } from '@gateway/contract';
import { subject } from '@gateway/contract/fields';
import { readServed } from '@gateway/domain/endpoint/console';
import { usualPath } from '@gateway/domain/endpoint/paths';
import { installPolicy, refusePolicy } from '@gateway/domain/policy/acts';
import {
  listPolicyAttempts,
  listPolicyRevisions,
  type PolicyRevision,
  readOwnInstallation,
  readPolicyInForce,
  readPolicyStanding,
} from '@gateway/domain/policy/console';
import { previewOf } from '@gateway/domain/policy/preview';
import {
  appendPolicies,
  changeOf,
  type PolicyCounts as PolicyChange,
  policyNames,
  type Unfit,
} from '@gateway/domain/policy/rules';
import { rolesOf } from '@gateway/domain/role/console';
import { maskText } from '@gateway/secrets';
import * as z from 'zod';
import { administer } from '../http/administer.ts';
import { createdResponse, okResponse, refusalResponse, refuseTaken, unknown } from '../http/answers.ts';
import { secretsIn } from '../http/body.ts';
import { authorOf, type Caller } from '../http/caller.ts';
import { exactly, filterOf, instant } from '../http/fields.ts';
import { pageAsked, pageOf, paging, sortedPagingSchema } from '../http/page.ts';
import { type Call, type Route, route } from '../http/route.ts';

/** Says whether a call would be served, without making it. It names policies, and shows none of their texts. */
const explainRoute = route({
  method: 'POST',
  path: '/api/policies/explain',
  right: { permission: 'politique:administrer' },
  summary:
    'Says whether a subject may call an endpoint now, and which policies refuse. `standby` says the same of a call that the standby of the endpoint serves, with its `model` and `provider`; null where it is no different. `method` is POST and `path` that of chat completions where they are absent. Nothing is called or recorded as a call.',
  answers: '200 `{allowed, reason, policies, standby}`',
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
    const { standby, ...model } = served;
    const standing = await readPolicyStanding(database, body.subject, body.endpoint);
    const explanation = explain(
      {
        subject: body.subject,
        roles: await rolesOf(database, body.subject, null),
        permission: 'inference:appeler',
        resource: { type: 'Endpoint', name: body.endpoint, ...model },
        call: {
          session: null,
          method: body.method,
          path: body.path ?? usualPath(body.endpoint),
          sourceAddress: body.sourceAddress ?? sourceAddress,
          at: new Date(),
        },
      },
      await services.policies.compiled(database, standing.policy),
      standby,
    );
    const { fault } = standing;
    const shown = ({ granted, reason, policies }: Pick<Explanation, 'granted' | 'reason' | 'policies'>) => ({
      allowed: fault === null && granted,
      reason: fault ?? reason,
      policies: explanation.held ? policies.filter(({ says }) => says !== 'nothing').map(({ policy }) => policy) : [],
    });
    const second = fault === null && explanation.held ? explanation.standby : null;
    return okResponse({
      ...shown(explanation),
      standby: second && { model: second.model, provider: second.provider, ...shown(second) },
    });
  },
});

interface PlacedFault {
  readonly line: number;
  readonly column: number;
  readonly message: string;
}

/** Faults of a submitted policy; empty if it may be installed. */
function faultsOf(cedar: unknown): readonly PlacedFault[] {
  if (typeof cedar !== 'string') return [{ line: 1, column: 1, message: 'must be a Cedar policy set as one text' }];
  const check = checkHandedIn(cedar);
  const [secret] = Object.values(secretsIn(JSON.stringify({ cedar })));
  const secrets = secret === undefined ? [] : [{ line: 1, column: 1, message: secret }];
  return check.ok ? secrets : [...check.faults, ...secrets];
}

function refuse(faults: readonly PlacedFault[]): Response {
  const sentence = maskText(faults.map(describeFault).join('; '));
  return refusalResponse(
    refusal('input-faulty', {
      details: { faults: `cedar is refused: ${sentence}` },
      members: {
        fields: { cedar: sentence },
        faults: faults.map((one) => ({ ...one, message: maskText(one.message) })),
      },
    }),
  );
}

/**
 * Puts the next revision in force, and records its author as an attempt and as an act. The answer contains the text of the author,
 * and of the policies in force no more than how many were removed.
 */
async function installFor(call: Call<unknown, unknown>, cedar: string, mode: Mode): Promise<Response> {
  let change: PolicyChange = { policies: 0, added: 0, removed: 0 };
  const outcome = await administer<PolicyRevision, Unfit>(call, (act) =>
    installPolicy(act, cedar, (inForce) => {
      const composed = mode === 'append' ? appendPolicies(inForce, cedar) : { text: cedar };
      if ('unfit' in composed) return act.abandon(composed.unfit);
      change = changeOf(inForce, composed.text);
      return composed.text;
    }),
  );
  if ('violated' in outcome)
    throw new Error(`installing a policy conflicted with another change (${outcome.violated.constraint})`);
  if ('done' in outcome) return createdResponse({ ...outcome.done, cedar, ...change });
  const { names, sentence } = outcome.abandoned;
  await administer(call, (act) => refusePolicy(act, { document: cedar, fault: sentence }, maskText));
  return names.length > 0
    ? refuseTaken('policy', 'cedar', sentence)
    : refuse([{ line: 1, column: 1, message: sentence }]);
}

const mode = z.enum(['replace', 'append'], 'must be replace or append').default('replace');
type Mode = z.infer<typeof mode>;
const body = z.strictObject({ cedar: z.unknown().optional() });

/** Keeps an attempt that failed, with its author (roles-17). */
async function recordRefusal(
  call: Call<z.infer<typeof body>, unknown>,
  faults: readonly PlacedFault[],
): Promise<Response> {
  const refused = { document: call.body.cedar, fault: faults.map(describeFault).join('; ') };
  await administer(call, (act) => refusePolicy(act, refused, maskText));
  return refuse(faults);
}

const install = route({
  method: 'POST',
  path: '/api/policies',
  right: { permission: 'politique:administrer' },
  summary:
    'Installs the next revision of the authorization policy, a set of Cedar `forbid` policies. With `mode: "append"` the policies in force stay, and a name (`@id`) that is in force is refused (409). A text without a policy is refused; another route lifts every restriction. Every attempt is recorded. A refusal has line and column of each error.',
  answers: '201 `{revision, cedar, author, installedAt, policies, added, removed}`, with the text that was handed in',
  body: body.extend({ mode }),
  attempted: true,
  async handle(call) {
    const faults = faultsOf(call.body.cedar);
    if (faults.length > 0) return recordRefusal(call, faults);
    return installFor(call, String(call.body.cedar), call.body.mode);
  },
});

const lift = route({
  method: 'POST',
  path: '/api/policies/lift',
  right: { permission: 'politique:administrer' },
  summary: 'Lifts every restriction: installs a revision without a policy, so that only the role matrix applies.',
  answers: '201 `{revision, cedar, author, installedAt}`, with an empty `cedar`',
  handle: async (call) => installFor(call, '', 'replace'),
});

/** Names of people in the log are only for callers who may read it (console-1). */
const mayReadLog = (caller: Caller): boolean =>
  caller.kind === 'shared-pair' ||
  matrixGrants(
    caller.roles.map(({ role }) => role),
    'journal:lire',
  );

const check = route({
  method: 'POST',
  path: '/api/policies/check',
  right: { permission: 'politique:administrer' },
  summary:
    'Previews a policy set and installs nothing. The preview lists unknown names and the people that would be locked out. It counts the decisions of the last 1,000 that would have been refused, by endpoint and role. Callers who may read the log get them by subject.',
  answers:
    '200 `{faults, warnings, lockouts, impact}`: line, column and message of each fault; with none, the rest is filled in',
  body,
  attempted: true,
  async handle({ body: { cedar }, services, caller, sourceAddress }) {
    const faults = faultsOf(cedar);
    const sound = faults.length === 0 ? checkHandedIn(String(cedar)) : null;
    if (sound === null || !sound.ok) return okResponse({ faults, warnings: [], lockouts: [], impact: null });
    return okResponse({
      faults,
      ...(await previewOf(services.database, { sourceAddress, names: mayReadLog(caller) }, String(cedar), sound)),
    });
  },
});

const inForce = route({
  method: 'GET',
  path: '/api/policies/in-force',
  right: { permission: 'politique:lire' },
  summary: 'Shows the authorization policy in force.',
  answers: '200 `{policy}`: revision, cedar, author, installedAt; null if none was ever installed',
  handle: async ({ services }) => okResponse({ policy: (await readPolicyInForce(services.database)) ?? null }),
});

const list = route({
  method: 'GET',
  path: '/api/policies',
  right: { permission: 'politique:lire' },
  summary: 'Lists the revisions of the authorization policy, the newest first.',
  answers: '200 `{policies, next}`',
  query: z.strictObject(
    sortedPagingSchema('policies', z.tuple([z.int32()]), { usual: '-revision', columns: { author: 'text' } }),
  ),
  async handle({ query, services }) {
    const page = pageAsked(query);
    const rows = await listPolicyRevisions(services.database, page);
    return okResponse(pageOf('policies', rows, page, (row) => [row.revision]));
  },
});

const attempts = route({
  method: 'GET',
  path: '/api/audit/policies',
  right: { permission: 'politique:lire' },
  summary: 'Lists every attempt to install an authorization policy with its author, including refused ones.',
  answers: '200 `{attempts, next}`',
  query: z.strictObject({
    ...sortedPagingSchema('attempts', z.tuple([instant, z.guid()]), {
      usual: '-at',
      columns: { author: 'text', outcome: 'text', revision: 'float8' },
    }),
    author: exactly,
    outcome: z.enum(['installed', 'refused']).optional(),
  }),
  async handle({ query, services }) {
    const filter = { kind: 'authorization', ...filterOf(query, ['author', 'outcome']) } as const;
    const page = pageAsked(query);
    const rows = await listPolicyAttempts(services.database, filter, page);
    return okResponse(pageOf('attempts', rows, page, (row) => [row.at, row.id]));
  },
});

const own = route({
  method: 'GET',
  path: '/api/policies/own',
  right: { permission: 'politique:administrer' },
  summary:
    'Lists the revisions that the caller installed, the newest first: number, time, and the names of the policies handed in.',
  answers: '200 `{policies, next}`',
  query: z.strictObject(paging('policies', z.tuple([instant, z.guid()]))),
  async handle({ caller, query, services }) {
    const page = pageAsked(query);
    const filter = { kind: 'authorization', author: authorOf(caller), outcome: 'installed' } as const;
    const rows = await listPolicyAttempts(services.database, filter, page);
    return okResponse(
      pageOf(
        'policies',
        rows,
        page,
        (row) => [row.at, row.id],
        ({ revision, at, document }) => ({ revision, at, names: policyNames(document) }),
      ),
    );
  },
});

const ownRevision = route({
  method: 'GET',
  path: '/api/policies/own/:revision',
  right: { permission: 'politique:administrer' },
  summary:
    'Shows the text that the caller handed in for a revision, so that it can be installed again. Nothing is shown of the policies that were in force beside it.',
  answers: '200 `{revision, at, names, cedar}`',
  async handle({ caller, parameters, services }) {
    const revision = /^\d{1,9}$/.test(parameters.revision) ? Number(parameters.revision) : 0;
    const found = await readOwnInstallation(services.database, authorOf(caller), revision);
    if (found === undefined) return unknown('revision of yours');
    return okResponse({ revision, at: found.at, names: policyNames(found.document), cedar: found.document });
  },
});

export const policyRoutes: readonly Route[] = [
  install,
  lift,
  check,
  explainRoute,
  inForce,
  own,
  ownRevision,
  list,
  attempts,
];
