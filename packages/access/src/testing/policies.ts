import { PERMISSIONS, ROLE_NAMES } from '@gateway/contract';
import * as fc from 'fast-check';
import type { PolicyRequest, PolicyResource } from '../policy/request.ts';
import { resourceTypeOf } from '../policy/schema.ts';

/** Few names, so that policies and requests often match. */
const SUBJECTS = ['alice', 'bob', 'é"\\'];
const ENDPOINTS = ['chat', 'code'];
const PROJECTS = ['north', 'south'];
const MODELS = ['qwen3', 'llama'];
const SESSIONS = ['s1', 's2'];
const METHODS = ['GET', 'POST'];
const NETWORKS = [
  '10.0.0.0/8',
  '10.1.2.3',
  '10.1.2.3/31',
  '0.0.0.0/0',
  '192.0.2.0/24',
  '2001:db8::/32',
  '2001:db8::1',
  '::/0',
];
const DURATIONS = ['4h', '20h', '0ms', '-1h', '1d', '12h30m', '1d2h3m4s5ms', '86399999ms'];
const INSTANTS = ['2026-05-04', '2026-07-01T00:00:00Z', '2026-07-01T12:34:56.789Z', '2026-07-01T12:34:56+0200'];

const oneOf = (names: readonly string[]) => fc.constantFrom(...names);
const entity = (type: string, names: readonly string[]) =>
  oneOf(names).map((name) => `${type}::${JSON.stringify(name)}`);
const role = entity('Role', ROLE_NAMES);
const action = entity('Action', PERMISSIONS);
const endpoint = entity('Endpoint', ENDPOINTS);
const project = entity('Project', PROJECTS);

const principalHead = fc.oneof(
  fc.constant('principal'),
  fc.constant('principal is Subject'),
  entity('Subject', SUBJECTS).map((name) => `principal == ${name}`),
  role.map((name) => `principal in ${name}`),
  role.map((name) => `principal is Subject in ${name}`),
);
const actionHead = fc.oneof(
  { weight: 3, arbitrary: fc.constant('action') },
  fc.constant('action == Action::"inference:appeler"'),
  action.map((name) => `action == ${name}`),
  fc.array(action, { minLength: 1, maxLength: 4 }).map((names) => `action in [${names.join(', ')}]`),
);
const resourceHead = fc.oneof(
  { weight: 3, arbitrary: fc.constant('resource') },
  endpoint.map((name) => `resource == ${name}`),
  project.map((name) => `resource == ${name}`),
  fc.constantFrom('resource is Endpoint', 'resource is Project', 'resource == Instance::"instance"'),
);

const comparison = fc.constantFrom('<', '<=', '>', '>=', '==', '!=');

/** Conditions that type-check, including some whose evaluation fails (an overflow, an unknown address). */
const atom = fc.oneof(
  fc.boolean().map(String),
  oneOf(METHODS).map((method) => `context.method == "${method}"`),
  oneOf(['chat', 'files', '*']).map((part) => `context.path like "*${part}*"`),
  oneOf(SESSIONS).map((session) => `(context has session && context.session == "${session}")`),
  fc.constantFrom('context has session', '[context].contains(context)'),
  oneOf(NETWORKS).map((net) => `context.sourceAddress.isInRange(ip("${net}"))`),
  oneOf(NETWORKS).map((net) => `context.sourceAddress == ip("${net}")`),
  fc.tuple(comparison, oneOf(DURATIONS)).map(([is, span]) => `context.time.toTime() ${is} duration("${span}")`),
  fc.tuple(comparison, oneOf(INSTANTS)).map(([is, instant]) => `context.time ${is} datetime("${instant}")`),
  oneOf(INSTANTS).map((instant) => `context.time.toDate() == datetime("${instant}")`),
  fc.subarray(METHODS, { minLength: 1 }).map((some) => `${JSON.stringify(some)}.contains(context.method)`),
  fc.uniqueArray(role, { minLength: 1, maxLength: 3 }).map((some) => `principal in [${some.join(', ')}]`),
  fc.uniqueArray(entity('Subject', SUBJECTS), { minLength: 1 }).map((all) => `[${all.join(', ')}].contains(principal)`),
  oneOf(MODELS).map((model) => `(resource is Endpoint && resource.model == "${model}")`),
  endpoint.map((name) => `resource == ${name}`),
  entity('Subject', SUBJECTS).map((name) => `principal == ${name}`),
  role.map((name) => `principal in ${name}`),
  role.map((name) => `principal is Subject in ${name}`),
  action.map((name) => `action == ${name}`),
  { weight: 3, arbitrary: fc.constant('9223372036854775807 + 1 > 0') },
);
const condition = fc.oneof(
  { weight: 2, arbitrary: atom },
  {
    weight: 3,
    arbitrary: fc.tuple(atom, fc.constantFrom('&&', '||'), atom).map(([one, and, other]) => `(${one} ${and} ${other})`),
  },
  fc.tuple(atom, atom, atom).map(([when, yes, no]) => `(if ${when} then ${yes} else ${no})`),
  atom.map((negated) => `!(${negated})`),
);
const clause = fc.tuple(fc.constantFrom('when', 'unless'), condition).map(([word, body]) => ` ${word} { ${body} }`);

/** One `forbid` policy that type-checks. */
export const forbidPolicy: fc.Arbitrary<string> = fc
  .tuple(principalHead, actionHead, resourceHead, fc.array(clause, { maxLength: 2 }))
  .map(([who, what, where, clauses]) => `forbid(${who}, ${what}, ${where})${clauses.join('')};`);

export const policySet: fc.Arbitrary<string> = fc.array(forbidPolicy, { maxLength: 6 }).map((all) => all.join('\n'));

/** Any selection of roles, including forbidden combinations: the property must hold for any content of the database. */
export const policyRequest: fc.Arbitrary<PolicyRequest> = fc
  .record({
    subject: oneOf(SUBJECTS),
    roles: fc.uniqueArray(fc.constantFrom(...ROLE_NAMES), { maxLength: 4 }),
    permission: fc.oneof(fc.constant('inference:appeler' as const), fc.constantFrom(...PERMISSIONS)),
    names: fc.tuple(oneOf(ENDPOINTS), oneOf(PROJECTS), oneOf(MODELS)),
    call: fc.record({
      session: fc.option(oneOf(SESSIONS)),
      method: oneOf(METHODS),
      path: fc.constantFrom('/chat/v1/chat/completions', '/code/files?x=*', '/'),
      sourceAddress: fc.option(fc.constantFrom('10.1.2.3', '192.0.2.1', '2001:db8::1', '::ffff:10.0.0.1'), { freq: 8 }),
      at: fc.date({ min: new Date('2026-01-01'), max: new Date('2027-01-01'), noInvalidDate: true }),
    }),
  })
  .map(({ names, ...request }) => ({ ...request, resource: resourceFor(request.permission, names) }));

function resourceFor(
  permission: PolicyRequest['permission'],
  [name, projectName, model]: [string, string, string],
): PolicyResource {
  const type = resourceTypeOf(permission);
  if (type === 'Instance') return { type };
  return type === 'Project' ? { type, name: projectName } : { type, name, model, provider: 'local' };
}
