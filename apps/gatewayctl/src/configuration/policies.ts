import { isDeepStrictEqual } from 'node:util';
import {
  type Act,
  createOrganization,
  installOrganizationPolicy,
  installPolicy,
  renameOrganization,
} from '@gateway/database/administration';
import { CommandFailed } from '../context/fault.ts';
import { type Change, type Differences, differencesOf } from './change.ts';
import type { ConfigurationDocument, ItemOf, WholeDocument } from './document.ts';
import type { State } from './state.ts';

type Organization = ItemOf<'organizations'>;

/** The authorization policy where the document states another one than is in force. */
export function policyDifference(document: ConfigurationDocument, state: State): readonly Change[] {
  const [before, after] = [state.authorizationPolicy, document.authorizationPolicy];
  // No policy was ever installed, or a blank one is in force: both leave the matrix unchanged.
  if (after === undefined || after === before || (after.trim() === '' && before.trim() === '')) return [];
  const members = [{ member: 'cedar', before, after }];
  return [
    {
      action: 'change',
      kind: 'authorization policy',
      name: '',
      members,
      perform: (act) => installPolicy(act, after),
    },
  ];
}

/** Differences of organizations and their policies. One without a policy keeps the current one. */
export function organizationDifferences(
  document: ConfigurationDocument,
  state: State,
  present: WholeDocument,
): Differences {
  const ids = new Map(state.organizations.map(({ slug, id }) => [slug, id]));
  const imposed = new Map(present.organizations.map(({ slug, policy }) => [slug, policy]));
  return differencesOf<Organization>({
    kind: 'organization',
    wanted: document.organizations?.map((one) =>
      withInstants({ ...one, policy: one.policy ?? imposed.get(one.slug) ?? null }),
    ),
    present: present.organizations,
    nameOf: ({ slug }) => slug,
    create: (after) => async (act) => {
      const made = await createOrganization(act, after);
      if (made === undefined) throw new CommandFailed(`There is an organization ${after.slug} already.`);
      if (after.policy !== null) await install(act, made, after.policy);
    },
    change: (before, after) => async (act) => {
      const organization = { id: ids.get(after.slug) ?? '', slug: after.slug };
      if (before.name !== after.name) await renameOrganization(act, organization, after.name);
      const isAnother = !isDeepStrictEqual(before.policy, after.policy);
      if (after.policy !== null && isAnother) await install(act, organization, after.policy);
    },
    // An organization is never deleted: workstations keep the policy they received.
  });
}

/** Instants as the database writes them, so that another form of the same one is no difference. */
function withInstants(organization: Organization): Organization {
  const { policy } = organization;
  if (policy === null) return organization;
  const [validFrom = null, validUntil = null] = [policy.validFrom, policy.validUntil].map((at) =>
    at === null ? null : new Date(at).toISOString(),
  );
  return { ...organization, policy: { ...policy, validFrom, validUntil } };
}

async function install(
  act: Act,
  organization: { readonly id: string; readonly slug: string },
  policy: NonNullable<Organization['policy']>,
): Promise<void> {
  const [validFrom = null, validUntil = null] = [policy.validFrom, policy.validUntil].map((at) =>
    at === null ? null : new Date(at),
  );
  await installOrganizationPolicy(act, organization, { document: policy.document, validFrom, validUntil });
}
