import { type CompiledPolicySet, compilePolicySet } from '@gateway/access';
import type { Queryable, Revision } from '@gateway/database';
import { readPolicyText } from '@gateway/database/console';

/**
 * The compiled form of revisions. The revision in force is read again for every request; only its compiled form is cached
 * (roles-18).
 */
export interface PolicyRevisions {
  /**
   * @param revision in force; null where none narrows the matrix
   * @throws where the text in force cannot be used, which refuses the request
   */
  compiled(sql: Queryable, revision: Revision | null): Promise<CompiledPolicySet | null>;
}

export function createPolicyRevisions(): PolicyRevisions {
  let kept: { readonly revision: Revision; readonly policies: CompiledPolicySet } | undefined;
  return {
    async compiled(sql, revision) {
      if (revision === null) return null;
      if (kept && isSame(kept.revision, revision)) return kept.policies;
      const text = await readPolicyText(sql, revision);
      if (text === undefined) throw new Error(`authorization policy ${revision.number} is in force but cannot be read`);
      const policies = compilePolicySet(text);
      kept = { revision, policies };
      return policies;
    },
  };
}

function isSame(one: Revision, other: Revision): boolean {
  return one.number === other.number && one.installedAt === other.installedAt;
}
