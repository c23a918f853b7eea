import { PROVISIONING_AUTHOR } from '@gateway/contract';
import {
  changeProvisionedUser,
  createProvisionedUser,
  deleteProvisionedUser,
  liftSubject,
  retireSubject,
  revokeSubject,
  syncGroupRoles,
} from '@gateway/database/administration';
import {
  describeOidcIdentity,
  isLocalAccount,
  lockProvisionedUser,
  lockSubjectRevocation,
  type ProvisionedUser,
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
   * operator's own way in, and people of the identity provider are registered as such.
   */
  readonly localAccounts: boolean;
}

type At = Work<ScimFault>;

/** The author of every change over SCIM. It has no role. */
export const SCIM_CALLER: Caller = {
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
      const user = await createProvisionedUser(at, { id: uuid(), subject, ...fields });
      await this.#describe(at, user);
      await setStanding(at, user);
      return user;
    });
  }

  /** @param changed makes the new user from the current one. @throws ScimFault 404 where there is no such user */
  change(id: string, changed: (before: ProvisionedUser) => UserFields, deadline: number): Promise<ProvisionedUser> {
    return this.#do(deadline, async (at) => {
      const before = (await lockProvisionedUser(at.sql, id)) ?? at.abandon(unknownUser());
      const fields = changed(before);
      const named = subjectOf(fields, this.#rules.subjectAttribute);
      const subject = named === before.subject ? named : await this.#subjectFor(at, fields);
      const wanted = { ...before, ...fields, subject };
      if (JSON.stringify(comparable(wanted)) === JSON.stringify(comparable(before))) {
        await setStanding(at, before);
        return before;
      }
      const after = await changeProvisionedUser(at, before, wanted);
      await this.#describe(at, after);
      // A later user of the old name must not inherit its rights.
      await setStanding(at, after);
      if (subject !== before.subject) {
        await retireSubject(at, before.subject, `renamed over SCIM to ${subject}`);
        await syncGroupRoles(at, [before.subject, subject]);
      }
      return after;
    });
  }

  remove(id: string, deadline: number): Promise<void> {
    return this.#do(deadline, async (at) => {
      const before = (await lockProvisionedUser(at.sql, id)) ?? at.abandon(unknownUser());
      await deleteProvisionedUser(at, before);
      await retireSubject(at, before.subject, 'deleted over SCIM');
    });
  }

  async #do<Result>(deadline: number, work: (at: At) => Promise<Result>): Promise<Result> {
    const outcome = await administer<Result, ScimFault>(
      { services: this.#services, caller: SCIM_CALLER, deadline },
      work,
    );
    if ('done' in outcome) return outcome.done;
    if ('abandoned' in outcome) throw outcome.abandoned;
    const attribute =
      outcome.violated.constraint === 'provisioned_users_subject_key' ? this.#rules.subjectAttribute : 'userName';
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
    await describeOidcIdentity(at.sql, { id: uuid(), subject, displayName, email });
  }
}

const unknownUser = (): ScimFault => new ScimFault(404, 'There is no such user.');

/** What a request can change, in one order. */
function comparable({ subject, userName, externalId, active, attributes }: ProvisionedUser): unknown {
  const { displayName = null, name = {}, emails = [] } = attributes;
  const parts = Object.entries(name).toSorted(([one], [other]) => (one < other ? -1 : 1));
  const addresses = emails.map(({ value, type, display, primary }) => [value, type, display, primary]);
  return [subject, userName, externalId, active, displayName, parts, addresses];
}

/** Revokes the subject of an inactive user. A revocation that came over SCIM is lifted for an active one; only administrators lift theirs. */
async function setStanding(at: At, { subject, active }: ProvisionedUser): Promise<void> {
  if (!active) await revokeSubject(at, subject, 'deactivated over SCIM');
  const revocation = active ? await lockSubjectRevocation(at.sql, { inForceOf: subject }) : undefined;
  if (revocation?.author === PROVISIONING_AUTHOR) await liftSubject(at, revocation, 'activated over SCIM');
}
