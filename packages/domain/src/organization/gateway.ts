import type { OrganizationPolicy } from '@gateway/contract';
import { DatabaseUnavailable } from '@gateway/database';
import { answer } from '@gateway/database/client/answers';
import type { Link } from '@gateway/database/client/link';
import type { Revision } from '../policy/rules.ts';

/** A revision of an organization's policy, and its validity. */
export interface OrganizationPolicyRevision {
  readonly policy: OrganizationPolicy;
  readonly validFrom: Date | null;
  readonly validUntil: Date | null;
}

interface Row {
  readonly document: OrganizationPolicy;
  readonly valid_from: Date | null;
  readonly valid_until: Date | null;
}

/**
 * The policy of an organization as one of its revisions states it.
 * @param deadline on the clock of `performance.now()`.
 * @throws DatabaseUnavailable also where the revision is not there: what is in force must be readable.
 */
export async function readOrganizationPolicy(
  link: Link,
  organization: string,
  { number, installedAt }: Revision,
  deadline: number,
): Promise<OrganizationPolicyRevision> {
  const [row] = await answer(
    link,
    deadline,
    (sql) => sql<Row[]>`
      select policy.document, policy.valid_from, policy.valid_until
      from organizations organization
      join organization_policies policy on policy.organization_id = organization.id
      where organization.slug = ${organization} and policy.revision = ${number}
        and extract(epoch from policy.produced_at) = ${installedAt}`,
  );
  if (!row) throw new DatabaseUnavailable(`policy ${number} of organization ${organization} is not there`);
  return { policy: row.document, validFrom: row.valid_from, validUntil: row.valid_until };
}
