import {
  addProjectMemberIn,
  changeAccountIn,
  createAccountIn,
  type DescribedAccount,
  grantRoleIn,
  removeProjectMemberIn,
  revokeRoleIn,
} from '@gateway/database/administration';
import { type Differences, differencesOf } from './change.ts';
import type { ConfigurationDocument, ItemOf, WholeDocument } from './document.ts';

/** On-premise there are no plans: an account keeps the one that another build gave it. */
const described = (account: ItemOf<'accounts'>): DescribedAccount => ({ ...account, plan: account.plan ?? null });

interface Membership {
  readonly project: string;
  readonly subject: string;
}

/** What differs in local accounts, role assignments and memberships of projects. */
export function peopleDifferences(
  document: ConfigurationDocument,
  present: WholeDocument,
): Readonly<Record<'accounts' | 'roles' | 'projects', Differences>> {
  return {
    accounts: differencesOf<ItemOf<'accounts'>>({
      kind: 'account',
      wanted: document.accounts,
      present: present.accounts,
      nameOf: ({ username }) => username,
      create: (account) => (act) => createAccountIn(act, described(account), null),
      change: (before, after) => (act) => changeAccountIn(act, described(before), described(after)),
      // An account is never deleted: its keys would be lost. `enabled: false` ends its access.
    }),
    roles: differencesOf<ItemOf<'roles'>>({
      kind: 'role',
      wanted: document.roles,
      present: present.roles,
      nameOf: ({ subject, role, project }) => `${role} of ${subject}${project === null ? '' : ` in ${project}`}`,
      create: (grant) => (act, author) => grantRoleIn(act, author, grant),
      remove: (grant) => (act) => revokeRoleIn(act, grant),
    }),
    projects: differencesOf<Membership>({
      kind: 'member',
      wanted: document.projects === undefined ? undefined : membershipsOf(document.projects),
      present: membershipsOf(present.projects),
      nameOf: ({ project, subject }) => `${subject} of ${project}`,
      create:
        ({ project, subject }) =>
        (act, author) =>
          addProjectMemberIn(act, author, project, subject),
      remove:
        ({ project, subject }) =>
        (act) =>
          removeProjectMemberIn(act, project, subject),
    }),
  };
}

function membershipsOf(projects: WholeDocument['projects']): readonly Membership[] {
  return projects.flatMap(({ project, members }) => members.map((subject) => ({ project, subject })));
}
