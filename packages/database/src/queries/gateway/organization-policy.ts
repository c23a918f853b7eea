import type { OrganizationPolicy } from '@gateway/contract';
import { answer } from '../../client/answers.ts';
import type { Revision } from '../../client/lineage.ts';
import type { Link } from '../../client/link.ts';
import { DatabaseUnavailable } from '../../client/unavailable.ts';

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

/**
 * The text of an authorization policy's revision, as installed.
 * @param deadline on the clock of `performance.now()`.
 * @throws DatabaseUnavailable also for a missing revision: the one in force must be readable.
 */
export async function readPolicyText(link: Link, { number, installedAt }: Revision, deadline: number): Promise<string> {
  const [row] = await answer(
    link,
    deadline,
    (sql) => sql<{ cedar: string }[]>`
      select cedar from authorization_policies
      where revision = ${number} and extract(epoch from installed_at) = ${installedAt}`,
  );
  if (!row) throw new DatabaseUnavailable(`authorization policy ${number} is not there`);
  return row.cedar;
}

/** Euros per token. */
export interface ModelPrices {
  readonly input: number;
  readonly cachedInput: number;
  readonly cacheWrite: number;
  readonly output: number;
}

/**
 * The prices of the current month by the id of the model, also of models that were deleted.
 * @param deadline on the clock of `performance.now()`.
 * @throws DatabaseUnavailable
 */
export async function readModelPrices(link: Link, deadline: number): Promise<ReadonlyMap<string, ModelPrices>> {
  const rows = await answer(
    link,
    deadline,
    (sql) => sql<(ModelPrices & { readonly model: string })[]>`
      select model_id as model, coalesce(per_input_token, 0)::float8 as input, coalesce(per_cached_token, 0)::float8 as "cachedInput",
        coalesce(per_write_token, 0)::float8 as "cacheWrite", coalesce(per_output_token, 0)::float8 as output
      from model_prices`,
  );
  return new Map(rows.map(({ model, ...prices }) => [model, prices]));
}
