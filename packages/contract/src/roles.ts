/**
 * The fixed role matrix (roles-10). It lives in product code: only assignments are data,
 * and it changes only with a product version.
 */
const MATRIX = {
  'utilisateur-standard': {
    pole: 'use',
    projectScope: 'forbidden',
    permissions: ['inference:appeler', 'usage:lire-le-sien', 'execution:lancer'],
  },
  'administrateur-de-projet': {
    pole: 'administration',
    projectScope: 'required',
    permissions: [
      'membres:lire',
      'membres:affecter-un-plan',
      'membres:activer',
      'usage:lire-le-projet',
      'console:administrer-un-projet',
    ],
  },
  'administrateur-d-instance': {
    pole: 'administration',
    projectScope: 'forbidden',
    permissions: [
      'plans:administrer',
      'fournisseurs:administrer',
      'modeles:administrer',
      'endpoints:administrer',
      'usage:lire-l-instance',
      'attributions:administrer',
      'membres:lire-l-instance',
      'sessions:revoquer',
      'politique:administrer',
      'organisations:administrer',
      'politique-d-organisation:administrer',
      'console:administrer-l-instance',
    ],
  },
  auditeur: {
    pole: 'audit',
    projectScope: 'forbidden',
    permissions: [
      'journal:lire',
      'journal:exporter',
      'journal:verifier-l-integrite',
      'politique:lire',
      'politique-d-organisation:lire',
      'console:auditer',
    ],
  },
} as const;

export type Role = keyof typeof MATRIX;
export type Pole = (typeof MATRIX)[Role]['pole'];
export type Permission = (typeof MATRIX)[Role]['permissions'][number];

/** What one role is: its pole, whether a grant names a project, and the permissions it carries. */
export interface RoleDefinition {
  readonly pole: Pole;
  readonly projectScope: 'required' | 'forbidden';
  readonly permissions: readonly Permission[];
}

export const ROLES: Readonly<Record<Role, RoleDefinition>> = MATRIX;
export const ROLE_NAMES = Object.keys(MATRIX) as readonly Role[];
export const PERMISSIONS: readonly Permission[] = ROLE_NAMES.flatMap((role) => ROLES[role].permissions);

export function isRole(name: string): name is Role {
  return Object.hasOwn(MATRIX, name);
}

/** The one role that carries a permission: no permission belongs to two roles (roles-10). */
export function roleOf(permission: Permission): Role {
  const role = ROLE_NAMES.find((name) => ROLES[name].permissions.includes(permission));
  if (role === undefined) throw new Error(`no role carries ${permission}`);
  return role;
}

/** Whether the matrix alone grants a permission to a subject with these roles. A policy may still restrict it. */
export function matrixGrants(roles: readonly Role[], permission: Permission): boolean {
  return roles.includes(roleOf(permission));
}

/** English names of the roles, for typing. On the wire and in the log a role has only its identifier. */
export const ROLE_ALIASES: Readonly<Record<Role, string>> = {
  'utilisateur-standard': 'standard-user',
  'administrateur-de-projet': 'project-administrator',
  'administrateur-d-instance': 'instance-administrator',
  auditeur: 'auditor',
};

/** The role with this identifier or alias; null where there is none. */
export function roleNamed(name: string): Role | null {
  return isRole(name) ? name : (ROLE_NAMES.find((role) => ROLE_ALIASES[role] === name) ?? null);
}
