import { errorMessage } from '@gateway/contract/error-code';
import { type ActDetails, type Json, ModelRefused, type Organization, type PolicyInForce } from '../agent/types.ts';
import { wireAct } from './act.ts';
import { createActs } from './acts.ts';
import type { ControlPlane } from './control-plane.ts';
import { createPolicyReader, type KnownPolicy, PolicyUnknown } from './policy.ts';
import { readStanding } from './standing.ts';

export interface OrganizationOptions {
  readonly plane: ControlPlane;
  readonly home: string;
  /** The subject of acts. */
  readonly subject: string;
  readonly now: () => Date;
  /** Masks secrets in a text. */
  readonly mask: (text: string) => string;
}

/** The gateway refuses the license: the session ends as one that a model's call refuses. */
const REFUSALS: ReadonlySet<number | null> = new Set([401, 402, 403]);

/** What a session does with the organization that its gateway serves. */
export function createOrganization({ plane, home, subject, now, mask }: OrganizationOptions): Organization {
  const reader = createPolicyReader(plane, home, now);
  const acts = createActs(plane, home);
  let reported: string | null = null;
  let kept: Promise<void> = Promise.resolve();
  let unkept: string | null = null;

  async function known(): Promise<KnownPolicy> {
    try {
      return await reader.read();
    } catch (error) {
      if (!(error instanceof PolicyUnknown) || !REFUSALS.has(error.status)) throw error;
      throw new ModelRefused(error.message, error.status ?? 0, false);
    }
  }

  return {
    async policy(): Promise<PolicyInForce> {
      const { source, revision, policy, inForce, notice } = await known();
      const news = notice === reported ? null : notice;
      reported = notice;
      const imposed = inForce ? policy : null;
      const document: Json = imposed;
      const commands = imposed?.commands?.location ?? 'workstation';
      return { source, revision, document, tools: imposed?.tools ?? {}, commands, notice: news };
    },
    standing: (session) => readStanding(plane, session),
    act(details: ActDetails) {
      const act = wireAct(details, { subject, at: now(), mask });
      kept = kept
        .then(() => acts.keep(act))
        .catch((error: unknown) => {
          unkept = `An act could not be kept for the organization: ${errorMessage(error)}`;
        });
    },
    async flush() {
      await kept;
      const left = await acts.deliver();
      if (unkept !== null) return unkept;
      return left === null
        ? null
        : `Acts for the organization are kept on this machine and delivered later: ${left.reason}`;
    },
  };
}
