import type { Revision } from '@gateway/contract';
import { type Refusal, type RefusalCode, refusal } from '@gateway/contract';
import type { OrganizationPolicyRevision } from '@gateway/domain/organization/gateway';
import {
  blockingKinds,
  createScanner,
  type Finding,
  type ResponsePolicy,
  type Responses,
  responsePolicyOf,
  type Scanner,
} from '@gateway/secrets';
import { keepRevisions } from '../process/revisions.ts';

/** What a policy of the organization imposes on calls: its response to secrets, the scanner that applies it, and the providers. */
export interface Inspector {
  /** Slugs of the providers that may be called; null: all. */
  readonly providers: readonly string[] | null;
  readonly responsePolicy: ResponsePolicy;
  readonly scanner: Scanner;
}

/** Whether its output may differ from its input. */
export function mayMask({ responsePolicy }: Inspector): boolean {
  return responsePolicy.high === 'mask' || responsePolicy.medium === 'mask';
}

/**
 * The inspector of the policy revision in force; null: no policy, or no organization. Rejects where the policy cannot be read.
 * @param deadline on the clock of `performance.now()`.
 */
export type Inspectors = (revision: Revision | null, deadline: number) => Inspector | Promise<Inspector>;

interface Known extends Omit<OrganizationPolicyRevision, 'policy'> {
  readonly inspector: Inspector;
}

/**
 * Creates the inspector of each revision once. Outside the policy's validity, the defaults apply (relay-33).
 * @param key of the digests in findings.
 */
export function createInspectors(
  read: (revision: Revision, deadline: number) => Promise<OrganizationPolicyRevision>,
  key: Uint8Array,
  clock: () => number,
): Inspectors {
  const inspectorOf = (responsePolicy: ResponsePolicy, providers: readonly string[] | null): Inspector => ({
    providers,
    responsePolicy,
    scanner: createScanner({ ...responsePolicy, key }),
  });
  const byDefault = inspectorOf(responsePolicyOf(null), null);

  const inForce = ({ inspector, validFrom, validUntil }: Known): Inspector => {
    const now = clock();
    const holds = (validFrom === null || +validFrom <= now) && (validUntil === null || now < +validUntil);
    return holds ? inspector : byDefault;
  };

  const revisions = keepRevisions(async (revision, deadline): Promise<Known> => {
    const { policy, validFrom, validUntil } = await read(revision, deadline);
    const inspector = inspectorOf(responsePolicyOf(policy.secrets), policy.models?.providers ?? null);
    return { inspector, validFrom, validUntil };
  });

  return (revision, deadline) => {
    if (revision === null) return byDefault;
    const known = revisions(revision, deadline);
    return known instanceof Promise ? known.then(inForce) : inForce(known);
  };
}

const PARAMETER = /;\s*charset\s*=\s*(?:"([^"]*)"|([^\s;]*))/i;
const TEXT =
  /^\s*(?:text\/|multipart\/|application\/(?:[\w.+-]+\+)?(?:json|xml|yaml|x-yaml|ndjson|x-ndjson|jsonl|json-seq|toml|sql|graphql|javascript|x-www-form-urlencoded)\b)/i;

/** Whether bodies of this content type are text, at least in part; one that names no type may be. */
export function isTextType(contentType: string | undefined): boolean {
  return contentType === undefined || contentType.trim() === '' || TEXT.test(contentType);
}

/** The charset in a content type; null without one. */
export function charsetOf(contentType: string | undefined): string | null {
  const named = contentType === undefined ? null : PARAMETER.exec(contentType);
  return named?.[1] ?? named?.[2] ?? null;
}

/** Charsets in which ASCII is ASCII, or that are looked into in their own encoding. */
const READ =
  /^(?:utf-?(?:8|16|32)(?:-?[bl]e)?|us-ascii|ascii|latin-?1|iso-?8859-?\d+|windows-?125\d|cp125\d|koi8-?[ru]|)$/i;

/** Whether a body in this charset can be read without knowing more of it than its bytes. */
export function isReadCharset(charset: string | null): boolean {
  return charset === null || READ.test(charset.trim());
}

/** Bytes scanned in one run. Longer bodies are scanned in parts, so that no scan delays other calls. */
export const MAX_SYNC_SCAN_BYTES = 256 * 1024;

const OPAQUE = /^\s*(?:image|audio|video|font)\//i;

/** Whether a body of this content type is text that can be looked into; one that names no type may be. */
export function isInspectable(contentType: string | undefined): boolean {
  return contentType === undefined || !OPAQUE.test(contentType);
}

/** Positions that are reported of one call; more are counted. */
const MOST_REPORTED = 8;

/** One line for a record: what was found, where, and what was done. Never a value (relay-33). */
export function lineOf(findings: readonly Finding[], responses: Responses): string {
  const reported = findings.slice(0, MOST_REPORTED).map(({ kind, rule, confidence, pointer, start, digest }) => {
    const position = pointer === null ? `byte ${start}` : pointer.slice(0, 200) || '/';
    return `${responses[confidence]} ${kind} (${rule}) at ${position}, digest ${digest.slice(0, 16)}`;
  });
  const more = findings.slice(MOST_REPORTED).reduce((sum, { occurrences }) => sum + occurrences, 0);
  return `secrets: ${reported.join('; ')}${more > 0 ? `; and ${more} more` : ''}`;
}

/** The refusal of content with a secret: its kinds and positions, never the value. */
export function block<Code extends RefusalCode & ('secret-detected' | 'secret-answered')>(
  code: Code,
  findings: readonly Finding[],
  responses: Responses,
): Refusal<Code> {
  const kinds = blockingKinds(responses, findings);
  const where = findings
    .filter(({ confidence }) => responses[confidence] === 'block')
    .map(({ pointer }) => pointer ?? '');
  return refusal(code, {
    details: { kind: kinds.join(', '), detail: lineOf(findings, responses) },
    members: { code: 'secret-detected', kinds, where: [...new Set(where)] },
  });
}
