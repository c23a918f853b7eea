import * as z from 'zod';

const MAXIMUM_ENTRIES = 1000;

/** A name that can be stored, listed and compared: 1 to 200 characters, none of them a control character. */
export const plainName = z
  .string()
  .regex(/^[^\p{Cc}\p{Cs}]{1,200}$/u, 'must be text of 1 to 200 characters without control characters');
const names = z.array(plainName).max(MAXIMUM_ENTRIES);
const digest = z.string().regex(/^[0-9a-f]{64}$/, 'must be a SHA-256 digest in lowercase hexadecimal');

/**
 * What an organization imposes on its workstations (workstation-4).
 * An absent member imposes nothing; a member that is not listed here is refused.
 */
export const organizationPolicySchema = z.strictObject({
  /** Slugs of the providers that may be used. */
  models: z.strictObject({ providers: names.exactOptional() }).exactOptional(),
  /** Names of tools that run freely, that ask first, and that are not offered at all. `exclude` outranks the others. */
  tools: z
    .strictObject({ allow: names.exactOptional(), ask: names.exactOptional(), exclude: names.exactOptional() })
    .exactOptional(),
  /** The response to a detected secret, whether entropy is checked, and the digests of values that are no secret. */
  secrets: z
    .strictObject({
      response: z.enum(['block', 'mask', 'alert']).exactOptional(),
      entropy: z.boolean().exactOptional(),
      allow: z.array(digest).max(MAXIMUM_ENTRIES).exactOptional(),
    })
    .exactOptional(),
  /** Where the commands of agents run: on the workstation, which is the default, or in the gateway's agent execution. */
  commands: z.strictObject({ location: z.enum(['workstation', 'gateway']).exactOptional() }).exactOptional(),
});

export type OrganizationPolicy = z.infer<typeof organizationPolicySchema>;

/** One fault of a document, and the path of its member (`tools.allow.0`; empty for the whole). */
export interface DocumentFault {
  readonly path: string;
  readonly reason: string;
}

/** The policy a document states, or everything that is wrong with it (workstation-4). */
export function parseOrganizationPolicy(
  document: unknown,
): { readonly policy: OrganizationPolicy } | { readonly faults: readonly DocumentFault[] } {
  const parsed = organizationPolicySchema.safeParse(document, { reportInput: true });
  if (parsed.success) return { policy: parsed.data };
  return {
    faults: parsed.error.issues.map((issue) => ({ path: issue.path.map(String).join('.'), reason: reasonOf(issue) })),
  };
}

/** The fault, as a sentence that continues after the path. */
function reasonOf(issue: z.core.$ZodIssue): string {
  if (issue.code === 'unrecognized_keys') {
    const names = issue.keys.map((key) => `"${key}"`).join(', ');
    return `must not hold ${names}: ${issue.keys.length === 1 ? 'this member is' : 'these members are'} not known`;
  }
  if (issue.code === 'invalid_type') {
    return issue.input === undefined ? 'is missing' : `must be of type ${issue.expected}`;
  }
  if (issue.code === 'invalid_value') return `must be one of ${issue.values.map(String).join(', ')}`;
  if (issue.code === 'too_big') return `must have at most ${issue.maximum} entries`;
  return issue.message;
}
