import { isRole, ROLE_NAMES, type Role } from './roles.ts';

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
