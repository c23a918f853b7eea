import { PROVISIONING_AUTHOR } from '@gateway/contract';
import {
  deleteProvisionedUser,
  describeDirectoryIdentity,
  insertProvisionedUser,
  isLocalAccount,
  liftSubjectRevocation,
  lockProvisionedUser,
  lockRevocationInForce,
  type ProvisionedUser,
  removeRightsOf,
  revokeSubject,
  updateProvisionedUser,
} from '@gateway/database/console';
import { v7 as uuid } from 'uuid';
import type { Caller } from '../caller/caller.ts';
import { administer, type Work } from '../routing/administer.ts';
import type { Services } from '../services/services.ts';
import { ScimFault } from './answers.ts';
import { type SubjectAttribute, subjectOf, type UserFields } from './user.ts';

/** How users of the identity provider become subjects of this instance. */
export interface ProvisioningRules {
  readonly subjectAttribute: SubjectAttribute;
  /**
   * Whether a local account may be provisioned: where people have no other (the hosted build). Elsewhere local accounts are the
   * operator's own way in, and persons of the directory are registered as such.
   */
  readonly localAccounts: boolean;
}

type At = Work<ScimFault>;

/** The author of everything that comes over SCIM. It holds no role. */
const CALLER: Caller = {
  kind: 'subject',
  subject: PROVISIONING_AUTHOR,
  credential: 'token',
  keyId: null,
  roles: [],
  policy: null,
};

/** Provisions, changes and removes users, each with its acts in one transaction. */
export class Provisioning {
  readonly #services: Services;
  readonly #rules: ProvisioningRules;

  constructor(services: Services, rules: ProvisioningRules) {
    this.#services = services;
    this.#rules = rules;
  }

  create(fields: UserFields, deadline: number): Promise<ProvisionedUser> {
    return this.#do(deadline, async (at) => {
      const subject = await this.#subjectFor(at, fields);
      const user = await insertProvisionedUser(at.sql, { id: uuid(), subject, ...fields });
      await this.#describe(at, user);
      await at.record({ action: 'scim-user.create', target: target(user), before: null, after: user });
      await setStanding(at, user);
      return user;
    });
  }

  /** @param changed what the user is to be, made of what it is. @throws ScimFault 404 where there is no such user */
  change(id: string, changed: (before: ProvisionedUser) => UserFields, deadline: number): Promise<ProvisionedUser> {
    return this.#do(deadline, async (at) => {
      const before = (await lockProvisionedUser(at.sql, id)) ?? at.abandon(unknownUser());
      const fields = changed(before);
      const named = subjectOf(fields, this.#rules.subjectAttribute);
      const subject = named === before.subject ? named : await this.#subjectFor(at, fields);
      const wanted = { ...before, ...fields, subject };
      if (JSON.stringify(writtenOf(wanted)) === JSON.stringify(writtenOf(before))) {
        await setStanding(at, before);
        return before;
      }
      const after = await updateProvisionedUser(at.sql, wanted);
      await this.#describe(at, after);
      await at.record({ action: 'scim-user.change', target: target(before), before, after });
      // Anybody who is given the old name later must not inherit what it could do.
      if (subject !== before.subject) await retire(at, before.subject, `renamed over SCIM to ${subject}`);
      await setStanding(at, after);
      return after;
    });
  }

  remove(id: string, deadline: number): Promise<void> {
    return this.#do(deadline, async (at) => {
      const before = (await lockProvisionedUser(at.sql, id)) ?? at.abandon(unknownUser());
      await deleteProvisionedUser(at.sql, id);
      await at.record({ action: 'scim-user.delete', target: target(before), before, after: null });
      await retire(at, before.subject, 'deleted over SCIM');
    });
  }

  /** One more attempt where somebody else changed the same subject at the same moment. */
  async #do<Result>(deadline: number, work: (at: At) => Promise<Result>, attempts = 2): Promise<Result> {
    const outcome = await administer<Result, ScimFault>({ services: this.#services, caller: CALLER, deadline }, work);
    if ('done' in outcome) return outcome.done;
    if ('abandoned' in outcome) throw outcome.abandoned;
    const { constraint } = outcome.violated;
    if (constraint === 'subject_revocations_in_force' && attempts > 1) return this.#do(deadline, work, attempts - 1);
    const attribute = constraint === 'provisioned_users_subject_key' ? this.#rules.subjectAttribute : 'userName';
    throw new ScimFault(409, `Another user has this ${attribute}.`, 'uniqueness');
  }

  async #subjectFor(at: At, fields: UserFields): Promise<string> {
    const subject = subjectOf(fields, this.#rules.subjectAttribute);
    if (this.#rules.localAccounts || !(await isLocalAccount(at.sql, subject))) return subject;
    return at.abandon(
      new ScimFault(
        409,
        `${subject} is a local account, which is not provisioned: disable it with gatewayctl.`,
        'uniqueness',
      ),
    );
  }

  async #describe(at: At, { subject, attributes }: ProvisionedUser): Promise<void> {
    if (this.#rules.localAccounts) return;
    const { displayName = attributes.name?.['formatted'] ?? null, emails = [] } = attributes;
    const email = (emails.find(({ primary }) => primary) ?? emails[0])?.value ?? null;
    await describeDirectoryIdentity(at.sql, { id: uuid(), subject, displayName, email });
  }
}

const target = ({ subject }: Pick<ProvisionedUser, 'subject'>): string => `subject:${subject}`;
const unknownUser = (): ScimFault => new ScimFault(404, 'There is no such user.');

/** What a request can change, in one order. */
function writtenOf({ subject, userName, externalId, active, attributes }: ProvisionedUser): unknown {
  const { displayName = null, name = {}, emails = [] } = attributes;
  const parts = Object.entries(name).toSorted(([one], [other]) => (one < other ? -1 : 1));
  const addresses = emails.map(({ value, type, display, primary }) => [value, type, display, primary]);
  return [subject, userName, externalId, active, displayName, parts, addresses];
}

/** Makes the subject of a user served or refused, as the user is active or not. */
async function setStanding(at: At, { subject, active }: ProvisionedUser): Promise<void> {
  if (active) await lift(at, subject);
  else await revoke(at, subject, 'deactivated over SCIM');
}

/** Refuses a subject from its next call on. A revocation that is in force already stays as it is. */
async function revoke(at: At, subject: string, reason: string): Promise<void> {
  if ((await lockRevocationInForce(at.sql, subject)) !== undefined) return;
  const after = await revokeSubject(at.sql, { id: uuid(), subject, reason, author: PROVISIONING_AUTHOR });
  await at.record({ action: 'subject.revoke', target: target({ subject }), before: null, after });
}

/** Lifts a revocation that came over SCIM. What an administrator revoked, only administrators lift. */
async function lift(at: At, subject: string): Promise<void> {
  const before = await lockRevocationInForce(at.sql, subject);
  if (before?.author !== PROVISIONING_AUTHOR) return;
  const lifted = { id: before.id, author: PROVISIONING_AUTHOR, reason: 'activated over SCIM' };
  const after = await liftSubjectRevocation(at.sql, lifted);
  await at.record({ action: 'subject.lift', target: target({ subject }), before, after });
}

/** Refuses a subject for good and takes its roles, memberships and keys away: a namesake shares none of them. */
async function retire(at: At, subject: string, reason: string): Promise<void> {
  await revoke(at, subject, reason);
  const { roles, projects, keys } = await removeRightsOf(at.sql, subject);
  for (const role of roles) {
    const before = { subject, ...role };
    await at.record({ action: 'role.revoke', target: target({ subject }), before, after: null });
  }
  for (const key of keys) {
    const after = { ...key, revoked: true };
    await at.record({ action: 'key.revoke', target: `account:${subject}`, before: key, after });
  }
  for (const project of projects) {
    const before = { project, subject };
    await at.record({ action: 'member.remove', target: `project:${project}/member:${subject}`, before, after: null });
  }
}
