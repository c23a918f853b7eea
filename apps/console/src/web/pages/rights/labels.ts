/** Roles as people read them. The identifier is what the API, policies and logs hold. */
const ROLES: Readonly<Record<string, string>> = {
  'utilisateur-standard': 'User',
  'administrateur-de-projet': 'Project administrator',
  'administrateur-d-instance': 'Administrator',
  auditeur: 'Auditor',
};

/** The English name of a role; the identifier of one that has none. */
export const roleLabel = (role: string): string => ROLES[role] ?? role;

/** The name with the project it is held for. */
export const scopedRoleLabel = ({
  role,
  project,
}: {
  readonly role: string;
  readonly project: string | null;
}): string => (project === null ? roleLabel(role) : `${roleLabel(role)} · ${project}`);
