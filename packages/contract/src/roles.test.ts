import { describe, expect, it } from 'vitest';
import { isRole, matrixGrants, PERMISSIONS, ROLE_NAMES, ROLES, roleOf } from './roles.ts';

/** The permission table of the contract, row by row: permission and the one role with it (roles-10). */
const TABLE = {
  'inference:appeler': 'utilisateur-standard',
  'usage:lire-le-sien': 'utilisateur-standard',
  'execution:lancer': 'utilisateur-standard',
  'membres:lire': 'administrateur-de-projet',
  'membres:affecter-un-plan': 'administrateur-de-projet',
  'membres:activer': 'administrateur-de-projet',
  'usage:lire-le-projet': 'administrateur-de-projet',
  'console:administrer-un-projet': 'administrateur-de-projet',
  'plans:administrer': 'administrateur-d-instance',
  'fournisseurs:administrer': 'administrateur-d-instance',
  'modeles:administrer': 'administrateur-d-instance',
  'endpoints:administrer': 'administrateur-d-instance',
  'usage:lire-l-instance': 'administrateur-d-instance',
  'attributions:administrer': 'administrateur-d-instance',
  'membres:lire-l-instance': 'administrateur-d-instance',
  'sessions:revoquer': 'administrateur-d-instance',
  'politique:administrer': 'administrateur-d-instance',
  'organisations:administrer': 'administrateur-d-instance',
  'politique-d-organisation:administrer': 'administrateur-d-instance',
  'console:administrer-l-instance': 'administrateur-d-instance',
  'journal:lire': 'auditeur',
  'journal:exporter': 'auditeur',
  'journal:verifier-l-integrite': 'auditeur',
  'politique:lire': 'auditeur',
  'politique-d-organisation:lire': 'auditeur',
  'console:auditer': 'auditeur',
};

describe('the role matrix', () => {
  it('is the table of the contract, permission by permission', () => {
    expect(Object.fromEntries(PERMISSIONS.map((permission) => [permission, roleOf(permission)]))).toEqual(TABLE);
  });
  // roles-13
  it('has exactly four roles with their poles and scopes', () => {
    expect(
      ROLE_NAMES.map((name) => [name, ROLES[name].pole, ROLES[name].projectScope, ROLES[name].permissions.length]),
    ).toEqual([
      ['utilisateur-standard', 'use', 'forbidden', 3],
      ['administrateur-de-projet', 'administration', 'required', 5],
      ['administrateur-d-instance', 'administration', 'forbidden', 12],
      ['auditeur', 'audit', 'forbidden', 6],
    ]);
  });
  it('gives no permission to two roles', () => {
    expect(new Set(PERMISSIONS).size).toBe(PERMISSIONS.length);
  });
  // roles-11
  it('gives nothing to a subject without a role', () => {
    expect(PERMISSIONS.filter((permission) => matrixGrants([], permission))).toEqual([]);
  });
  it('has no other role', () => {
    for (const name of ['super', 'admin', 'Auditeur', '', 'toString', '__proto__']) expect(isRole(name)).toBe(false);
  });
});
