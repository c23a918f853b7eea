import type { BlockList } from 'node:net';
import type { Authorizer } from '../auth/authorizer.ts';
import type { Check, DecisionsPort, FactsPort, IdentityProviderPort } from '../auth/ports.ts';
import type { BodyBudget } from '../http/body.ts';
import { type Inspectors } from '../inspection/inspectors.ts';
import { type DetectionGroup } from '../store/detections.ts';
import type { Queue } from '../store/queue.ts';
import type { CallTimes } from '../telemetry/gateway-metrics.ts';
import type { Tracer } from '../telemetry/tracer.ts';
import type { UnreachedProviders } from '../upstream/failure.ts';
import type { UpstreamResults } from '../upstream/results.ts';
import type { Upstreams } from '../upstream/upstreams.ts';
import { type ActiveCalls } from './active-calls.ts';
import { type ProviderKeys } from './request/provider-key.ts';
import type { HoldBudget } from './response/held.ts';
import type { AccountingPorts } from './steps/account.ts';
import type { Authorized, Resolved } from './steps/types.ts';

/** Dependencies of the pipeline. A null is a check that this build or deployment does not have. */
export interface RelayPorts extends AccountingPorts {
  readonly facts: FactsPort;
  readonly decisions: DecisionsPort;
  readonly directory: IdentityProviderPort | null;
  readonly authorizer: Authorizer;
  readonly license: Check<Resolved> | null;
  readonly plan: Check<Authorized> | null;
  /** Takes the license seat of a call that has passed every other check. */
  readonly seat: Check<Resolved> | null;
  /** Buffers plain answers until their usage record is written; null where they are streamed. */
  readonly hold: HoldBudget | null;
  /** What looks for secrets, by the organization's policy in force. */
  readonly inspectors: Inspectors;
  /** Records findings in answers, which follow the decision of the call. */
  readonly detections: Pick<Queue<DetectionGroup>, 'writeLater'>;
  /** Ends calls whose caller is revoked while they run. */
  readonly activeCalls: Pick<ActiveCalls, 'add'>;
  readonly upstreams: Upstreams;
  readonly upstreamResults: Pick<UpstreamResults, 'add'>;
  /** Which providers with a standby are skipped. */
  readonly unreached: Pick<UnreachedProviders, 'isSkipped' | 'failed'>;
  /** Null where nothing is measured. */
  readonly times: CallTimes | null;
  /** Null where no spans are sent. */
  readonly tracer: Tracer | null;
  readonly clientCertificate: boolean;
  readonly providerKeys: ProviderKeys;
  /** Holds the bodies of requests. */
  readonly bodies: BodyBudget;
  readonly trustedProxies: BlockList | null;
  /** Milliseconds: the duration cap. */
  readonly requestTimeout: number;
  /** Milliseconds a caller may take nothing of its answer. */
  readonly idleTimeout: number;
}
