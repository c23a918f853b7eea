import { createHash } from 'node:crypto';
import { join } from 'node:path';
import { type OrganizationPolicy, parseOrganizationPolicy } from '@gateway/contract';
import { readText } from '../files/reading.ts';
import { ownFolder, replaceFile } from '../files/replace.ts';
import { ask, type ControlPlane, ControlPlaneFailed } from './control-plane.ts';

/** What `GET /ide/policy` answers. */
export interface ServedPolicy {
  readonly organization: string | null;
  readonly revision: number | null;
  /** ISO 8601; null where it is open. */
  readonly producedAt: string | null;
  readonly validFrom: string | null;
  readonly validUntil: string | null;
  readonly policy: OrganizationPolicy | null;
}

/** The policy that a session follows, and where it is from. */
export interface KnownPolicy extends ServedPolicy {
  readonly source: 'gateway' | 'kept' | 'none';
  /** Whether `policy` counts now: there is one, and this is within its validity. */
  readonly inForce: boolean;
  /** A sentence for the user where it is not the gateway's latest word; else null. */
  readonly notice: string | null;
}

/** The policy is not known, so nothing may be done under it. `status` is that of the gateway's refusal, else null. */
export class PolicyUnknown extends Error {
  override readonly name = 'PolicyUnknown';
  readonly status: number | null;

  constructor(message: string, status: number | null) {
    super(message);
    this.status = status;
  }
}

export interface PolicyReader {
  /**
   * Asks the gateway, and keeps a copy of its answer. Where it does not answer, the copy counts within its validity.
   * @throws PolicyUnknown where there is neither: a session without the organization's rules is refused.
   */
  read(signal?: AbortSignal): Promise<KnownPolicy>;
}

export function createPolicyReader(plane: ControlPlane, home: string, now: () => Date): PolicyReader {
  const folder = join(home, '.gateway', 'organization');
  const file = join(folder, `policy-${createHash('sha256').update(plane.gateway).digest('hex').slice(0, 16)}.json`);
  let kept: string | null = null;

  async function keep(served: ServedPolicy): Promise<void> {
    const text = `${JSON.stringify({ gateway: plane.gateway, ...served })}\n`;
    if (text === kept) return;
    await ownFolder(folder);
    await replaceFile(file, text);
    kept = text;
  }

  async function fromCopy(failure: ControlPlaneFailed): Promise<KnownPolicy> {
    const read = await readText(file);
    const copy = read.state === 'read' ? readServed(parse(read.text)) : null;
    const wrong = copy === null ? 'no copy of it is saved here' : whyNotValid(copy, now());
    if (copy !== null && wrong === null) {
      const notice = `${failure.message} The policy of your organization saved by an earlier session applies (revision ${copy.revision ?? 'none'}).`;
      return { ...copy, source: 'kept', inForce: copy.policy !== null, notice };
    }
    throw new PolicyUnknown(
      `The policy of your organization cannot be read, and ${wrong}. ${failure.message}`,
      failure.status,
    );
  }

  return {
    async read(signal) {
      let answer: Readonly<Record<string, unknown>>;
      try {
        answer = await ask(plane, { path: '/ide/policy', signal });
      } catch (error) {
        if (!(error instanceof ControlPlaneFailed) || signal?.aborted === true) throw error;
        return fromCopy(error);
      }
      const served = readServed(answer);
      if (served === null) {
        throw new PolicyUnknown(
          `The policy that ${plane.gateway} serves has members that this version of gw does not know, so nothing is done. Update gw.`,
          null,
        );
      }
      // A copy that cannot be stored is only missed offline.
      await keep(served).catch(() => undefined);
      const wrong = whyNotValid(served, now());
      const source = 'gateway';
      if (wrong === null) return { ...served, source, inForce: served.policy !== null, notice: null };
      return { ...served, source, inForce: false, notice: `The policy of your organization does not apply: ${wrong}.` };
    },
  };
}

/** Why a policy does not count now, as the end of a sentence; null where it does. */
function whyNotValid({ validFrom, validUntil }: ServedPolicy, now: Date): string | null {
  if (validFrom !== null && now < new Date(validFrom)) return `it is valid from ${validFrom}`;
  if (validUntil !== null && now >= new Date(validUntil)) return `it was valid until ${validUntil}`;
  return null;
}

function parse(text: string): Readonly<Record<string, unknown>> {
  try {
    return (JSON.parse(text) ?? {}) as Record<string, unknown>;
  } catch {
    return {};
  }
}

/** The policy in an answer or in a copy; null where it is none, or has a member that is not known. */
function readServed(answer: Readonly<Record<string, unknown>>): ServedPolicy | null {
  if (!('policy' in answer)) return null;
  const read = answer['policy'] === null ? { policy: null } : parseOrganizationPolicy(answer['policy']);
  if (!('policy' in read)) return null;
  const text = (name: string): string | null => (typeof answer[name] === 'string' ? answer[name] : null);
  const instant = (name: string): string | null => {
    const value = text(name);
    return value === null || Number.isNaN(Date.parse(value)) ? null : value;
  };
  return {
    organization: text('organization'),
    revision: Number.isSafeInteger(answer['revision']) ? (answer['revision'] as number) : null,
    producedAt: instant('producedAt'),
    validFrom: instant('validFrom'),
    validUntil: instant('validUntil'),
    policy: read.policy,
  };
}
