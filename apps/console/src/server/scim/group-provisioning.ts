import {
  changeProvisionedGroup,
  createProvisionedGroup,
  deleteProvisionedGroup,
  UnknownMember,
} from '@gateway/database/administration';
import { listGroupMembers, lockProvisionedGroup, type ProvisionedGroup } from '@gateway/database/console';
import { administer, type Work } from '../routing/administer.ts';
import type { Services } from '../services/services.ts';
import { invalid, ScimFault } from './answers.ts';
import type { GroupState } from './group.ts';
import { SCIM_CALLER } from './provisioning.ts';

type At = Work<ScimFault>;

/** Provisions, changes and removes groups, each with its acts and the roles of its members in one transaction. */
export class GroupProvisioning {
  readonly #services: Services;

  constructor(services: Services) {
    this.#services = services;
  }

  create({ members, ...fields }: GroupState, deadline: number): Promise<ProvisionedGroup> {
    return this.#do(deadline, (at) => createProvisionedGroup(at, fields, [...members]));
  }

  /** @param changed makes the new group from the current one. @throws ScimFault 404 where there is no such group */
  change(id: string, changed: (before: GroupState) => GroupState, deadline: number): Promise<ProvisionedGroup> {
    return this.#do(deadline, async (at) => {
      const before = (await lockProvisionedGroup(at.sql, id)) ?? at.abandon(unknownGroup());
      const members = new Set((await listGroupMembers(at.sql, [id])).map((one) => one.id));
      const { displayName, externalId } = before;
      const after = changed({ displayName, externalId, members });
      return changeProvisionedGroup(at, before, after, {
        added: [...after.members].filter((one) => !members.has(one)),
        removed: [...members].filter((one) => !after.members.has(one)),
      });
    });
  }

  remove(id: string, deadline: number): Promise<void> {
    return this.#do(deadline, async (at) => {
      await deleteProvisionedGroup(at, (await lockProvisionedGroup(at.sql, id)) ?? at.abandon(unknownGroup()));
    });
  }

  async #do<Result>(deadline: number, work: (at: At) => Promise<Result>): Promise<Result> {
    const call = { services: this.#services, caller: SCIM_CALLER, deadline };
    try {
      const outcome = await administer<Result, ScimFault>(call, work);
      if ('done' in outcome) return outcome.done;
      if ('abandoned' in outcome) throw outcome.abandoned;
    } catch (error) {
      if (error instanceof UnknownMember) throw invalid(`members: there is no user ${error.message}.`);
      throw error;
    }
    throw new ScimFault(409, 'Another group has this displayName.', 'uniqueness');
  }
}

export const unknownGroup = (): ScimFault => new ScimFault(404, 'There is no such group.');
