import { PERMISSIONS, type Permission, ROLE_NAMES, roleOf } from '@gateway/contract';

/** What a permission is used on (roles-16): an endpoint, a project, or the instance as a whole. */
export type ResourceType = 'Endpoint' | 'Project' | 'Instance';

/** The one entity of type `Instance`. */
export const INSTANCE = 'instance';

/** The resource type of a permission; it follows from the role with the permission. */
export function resourceTypeOf(permission: Permission): ResourceType {
  if (permission === 'inference:appeler') return 'Endpoint';
  return roleOf(permission) === 'administrateur-de-projet' ? 'Project' : 'Instance';
}

function quote(names: readonly string[]): string {
  return names.map((name) => `"${name}"`).join(', ');
}

function actionsOn(type: ResourceType): string {
  const names = PERMISSIONS.filter((permission) => resourceTypeOf(permission) === type);
  return `action ${quote(names)}\n  appliesTo { principal: [Subject], resource: [${type}], context: Call };`;
}

/**
 * The schema an authorization policy is checked against, in Cedar's own notation (roles-16). It is published as
 * docs/policy.cedarschema, letter by letter; it is written from the matrix, so that it cannot know another action or role.
 */
export const POLICY_SCHEMA = `// The schema of authorization policies. A policy set holds only forbid policies; the role matrix stays the upper bound.

// The roles of the matrix, and nothing else.
entity Role enum [${quote(ROLE_NAMES)}];

// Who calls: the token's subject, or the username of a local account.
entity Subject in [Role];

// The one instance that is administered, audited, or runs agent commands.
entity Instance enum ["${INSTANCE}"];

// A project, by the name that role assignments use.
entity Project;

// An endpoint, by its name. The slugs of the model it serves and of the provider behind it.
entity Endpoint = { model: String, provider: String };

// session is absent where the caller names none. path is the request's target with its query, as written. Where a server may read it
// otherwise (percent codes, empty segments, dots), every reading is asked about: /api/%70roviders is forbidden where /api/providers is.
type Call = {
  session?: String,
  method: String,
  path: String,
  sourceAddress: ipaddr,
  time: datetime,
};

${actionsOn('Endpoint')}

${actionsOn('Project')}

${actionsOn('Instance')}
`;
