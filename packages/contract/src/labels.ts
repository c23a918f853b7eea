import { REASONS as HOSTED } from '#hosted-refusals';
import { REASONS as ON_PREMISE } from '#on-premise-refusals';

/** Roles as people read them. The API, policies and logs contain the identifier. */
const ROLES = new Map(
  Object.entries({
    'utilisateur-standard': 'User',
    'administrateur-de-projet': 'Project administrator',
    'administrateur-d-instance': 'Administrator',
    auditeur: 'Auditor',
  }),
);

/** The English name of a role; the identifier of one that has none. */
export const roleLabel = (role: string): string => ROLES.get(role) ?? role;

/** The identifiers of all roles. */
export const roleNames = (): readonly string[] => [...ROLES.keys()];

/** A role in a list of details: its English name before the identifier. */
export const namedRole = (role: string): string => (ROLES.has(role) ? `${roleLabel(role)} (${role})` : role);

/** The name with its project. */
export const scopedRoleLabel = ({
  role,
  project,
}: {
  readonly role: string;
  readonly project: string | null;
}): string => (project === null ? roleLabel(role) : `${roleLabel(role)} · ${project}`);

/** Permissions as people read them: what each lets one do. */
const PERMISSIONS = new Map(
  Object.entries({
    'inference:appeler': 'Call endpoints',
    'usage:lire-le-sien': 'Read one’s own usage',
    'execution:lancer': 'Run agent commands',
    'membres:lire': 'Read the members of a project',
    'membres:affecter-un-plan': 'Give members of a project a plan',
    'membres:activer': 'Enable members of a project',
    'usage:lire-le-projet': 'Read the usage of a project',
    'console:administrer-un-projet': 'Open the console of a project',
    'plans:administrer': 'Manage plans',
    'fournisseurs:administrer': 'Manage providers',
    'modeles:administrer': 'Manage models',
    'endpoints:administrer': 'Manage endpoints',
    'usage:lire-l-instance': 'Read all usage',
    'attributions:administrer': 'Grant roles',
    'membres:lire-l-instance': 'Read all people',
    'sessions:revoquer': 'Revoke sessions and subjects',
    'politique:administrer': 'Install authorization policies',
    'organisations:administrer': 'Manage organizations',
    'politique-d-organisation:administrer': 'Install organization policies',
    'console:administrer-l-instance': 'Open the console of the instance',
    'journal:lire': 'Read the logs',
    'journal:exporter': 'Export the logs',
    'journal:verifier-l-integrite': 'Verify the logs',
    'politique:lire': 'Read authorization policies',
    'politique-d-organisation:lire': 'Read organization policies',
    'console:auditer': 'Open the console of auditors',
  }),
);

/** The identifiers of all permissions. */
export const permissionNames = (): readonly string[] => [...PERMISSIONS.keys()];

/** The English name of a permission; the identifier of one that has none. */
export const permissionLabel = (permission: string): string => PERMISSIONS.get(permission) ?? permission;

/** A permission in a sentence: what it lets one do. */
export const namedPermission = (permission: string): string =>
  PERMISSIONS.has(permission) ? `“${permissionLabel(permission)}”` : permission;

/** Reasons of decisions as people read them in a list. `causes.ts` has the sentences. */
const REASONS = new Map<string, string>(
  Object.entries({
    role: 'by role',
    standby: 'by role, standby',
    'credentials-missing': 'no key or token',
    'key-unknown': 'unknown key',
    'key-revoked': 'key revoked',
    'key-expired': 'key expired',
    'account-disabled': 'account disabled',
    'token-malformed': 'unreadable token',
    'token-algorithm': 'algorithm of the token',
    'token-signature': 'signature of the token',
    'token-issuer': 'issuer of the token',
    'token-audience': 'audience of the token',
    'token-expired': 'token expired',
    'token-not-yet-valid': 'token not valid yet',
    'token-claims': 'claims of the token',
    'token-subject-is-local': 'token of a local name',
    'directory-absent': 'no identity provider',
    'directory-unreachable': 'identity provider unreachable',
    'sign-in-throttled': 'too many failed sign-ins',
    'subject-revoked': 'subject revoked',
    'session-revoked': 'session revoked',
    'endpoint-unknown': 'unknown endpoint',
    'endpoint-disabled': 'endpoint disabled',
    'role-missing': 'no role',
    'permission-missing': 'no permission',
    'policy-forbids': 'forbidden by a policy',
    'policy-error': 'policy failed',
    'provider-excluded': 'provider excluded',
    'secret-detected': 'secret in the request',
    'secret-answered': 'secret in the answer',
    'unreadable-body': 'unreadable body',
    'duration-cap': 'took too long',
    undecided: 'not decided',
    unrecorded: 'not recorded',
    'entries-missing': 'entries missing',
    'execution-role-missing': 'command: no role',
    'execution-policy-forbids': 'command: forbidden by a policy',
    'execution-policy-error': 'command: policy failed',
    'execution-undecided': 'command: not decided',
    'execution-unrecorded': 'command: not recorded',
    ...HOSTED,
    ...ON_PREMISE,
  }),
);

/** The English name of the reason of a decision; the identifier of one that has none. */
export const reasonLabel = (reason: string): string => REASONS.get(reason) ?? reason;

/** The identifiers of the reasons that have a name. */
export const reasonNames = (): readonly string[] => [...REASONS.keys()];

/** A permission, or a role that the service names as one: other sentences may contain the same word. */
const NAMES = /"?\b([a-z]+(?:-[a-z]+)*:[a-z]+(?:-[a-z]+)*)"?|(?<=\broles? )([a-z]+(?:-[a-z]+)*)/g;

/** A sentence of the service that names a permission or a role, with the English name in place of the identifier. */
export const inEnglish = (sentence: string): string =>
  sentence.replace(NAMES, (whole, permission: string | undefined, role: string | undefined) => {
    if (permission !== undefined) return PERMISSIONS.has(permission) ? namedPermission(permission) : whole;
    return role !== undefined ? roleLabel(role) : whole;
  });
