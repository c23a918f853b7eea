import {
  type Act,
  addMember,
  changeAccount,
  createAccount,
  grantRole,
  removeMember,
  revokeRole,
} from '@gateway/database/administration';
import { findAccount, findPlan } from '../operator/find.ts';
import { type Differences, differencesOf } from './change.ts';
import type { ConfigurationDocument, ItemOf, WholeDocument } from './document.ts';

/** The account of a document, with the plan by its id. On-premise there are no plans: an account keeps its own. */
async function fieldsOf({ sql }: Act, { displayName, email, enabled, plan }: ItemOf<'accounts'>) {
  return { displayName, email, enabled, ...(plan === undefined ? {} : { plan: await findPlan(sql, plan) }) };
}

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
      create: (account) => async (act) =>
        createAccount(act, { plan: null, ...(await fieldsOf(act, account)), username: account.username }, null),
      change: (before, after) => async (act) => {
        const { enabled, ...fields } = await fieldsOf(act, after);
        // Where the file repeats the state, a project may still change it.
        const changed = before.enabled === enabled ? fields : { ...fields, enabled };
        await changeAccount(act, await findAccount(act.sql, after.username), changed);
      },
      // An account is never deleted: its keys would be lost. `enabled: false` ends its access.
    }),
    roles: differencesOf<ItemOf<'roles'>>({
      kind: 'role',
      wanted: document.roles,
      present: present.roles,
      nameOf: ({ subject, role, project }) => `${role} of ${subject}${project === null ? '' : ` in ${project}`}`,
      create: (grant) => (act) => grantRole(act, grant),
      remove: (grant) => (act) => revokeRole(act, grant),
    }),
    projects: differencesOf<Membership>({
      kind: 'member',
      wanted: document.projects === undefined ? undefined : membershipsOf(document.projects),
      present: membershipsOf(present.projects),
      nameOf: ({ project, subject }) => `${subject} of ${project}`,
      create:
        ({ project, subject }) =>
        (act) =>
          addMember(act, project, subject),
      remove:
        ({ project, subject }) =>
        (act) =>
          removeMember(act, project, subject),
    }),
  };
}

function membershipsOf(projects: WholeDocument['projects']): readonly Membership[] {
  return projects.flatMap(({ project, members }) => members.map((subject) => ({ project, subject })));
}
