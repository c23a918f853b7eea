import { ROLES, type Role } from '@gateway/contract';

/** The fault of a role with a project that it has not, or without the one it needs; null where both fit. */
export function projectFault(given: {
  readonly role: Role;
  readonly project: string | null;
}): { readonly project: string } | null {
  const { role, project } = given;
  if ((ROLES[role].projectScope === 'required') === (project !== null)) return null;
  return { project: project === null ? 'is missing: this role belongs to a project' : 'is not for this role' };
}
