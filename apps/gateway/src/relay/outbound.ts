import { type Refusal, refusal } from '@gateway/contract';
import type { Finding } from '@gateway/secrets';
import { proofOf } from '../auth/identify.ts';
import { charsetOf } from '../inspection/content-type.ts';
import { type Inspector, mayMask } from '../inspection/inspectors.ts';
import type { CallTrace, Destination } from '../telemetry/tracer.ts';
import { headersToProvider, replaceHeader } from './call/headers.ts';
import type { RelayPorts } from './ports.ts';
import type { LeavingBody } from './request/intake.ts';
import { providerKeyHeader } from './request/provider-key.ts';
import { scan } from './request/windows.ts';
import { keyMaskOf } from './response/key-mask.ts';
import type { Outbound } from './steps/forward.ts';
import type { Prepared } from './steps/prepare.ts';
import type { Recorded } from './steps/record.ts';

/** What accompanies a request on its way to the provider. */
export interface Leaving {
  /** Null where nothing is looked for. */
  readonly inspector: Inspector | null;
  /** Null where the caller requested no trace. */
  readonly trace: CallTrace | null;
  /** Takes what is found in a body that is looked into while it leaves. */
  readonly foundInRequest: (findings: readonly Finding[]) => void;
  /** Takes over where no byte could be sent; null where no other provider can serve the call. */
  readonly unsent: Outbound['unsent'];
  /** Why the first provider of the endpoint could not be reached; null in any other call. */
  readonly earlier: string | null;
}

type OutboundPorts = Pick<RelayPorts, 'providerKeys' | 'upstreams' | 'clientCertificate'>;

/** The request as the provider gets it: with its key, without the caller's. A refusal where the endpoint's provider cannot be called. */
export function outboundOf(
  recorded: Recorded,
  prepared: Prepared,
  { providerKeys, upstreams, clientCertificate }: OutboundPorts,
  leaving: Leaving,
): Outbound | Refusal {
  const { endpoint } = recorded.resolved;
  const key = providerKeyHeader(endpoint.provider, providerKeys);
  if (key !== null && 'code' in key) return key;
  const upstream = upstreams.of(endpoint.provider.baseUrl, leaving.unsent !== null);
  if (upstream === null) {
    const message = `The Base URL of provider "${endpoint.provider.slug}" cannot be used: correct it in the console.`;
    return refusal('provider-unreachable', { details: { message } });
  }
  const { head, caller } = recorded.accepted;
  // A coding that was undone is of the hop that ends here.
  const connection = prepared.isDecoded ? `${head.connection ?? 'close'}, content-encoding` : head.connection;
  const headers = headersToProvider(caller.request.rawHeaders, connection, key, proofOf(head)?.text ?? '');
  headers.push(...upstream.headers);
  if (leaving.trace !== null) replaceHeader(headers, 'traceparent', leaving.trace.left(destinationOf(recorded)));
  const mayChange = prepared.leaving && leaving.inspector !== null && mayMask(leaving.inspector);
  // A body that flows through leaves in the length it was announced with, or chunked.
  const length = prepared.length ?? (mayChange ? null : head.contentLength);
  if (prepared.body.kind === 'flowing' && length !== null) headers.push('content-length', String(length));
  const { apiKeyEnv } = endpoint.provider;
  return {
    upstream,
    clientCertificate,
    headers,
    body: leavingBody(recorded, prepared, leaving),
    streamAsked: prepared.stream,
    unsent: leaving.unsent,
    earlier: leaving.earlier,
    keyMask: key === null || apiKeyEnv === null ? null : keyMaskOf(providerKeys(apiKeyEnv)),
  };
}

/** An outgoing body, scanned during sending if it was too long to buffer. */
function leavingBody(
  recorded: Recorded,
  { body, leaving }: Prepared,
  { inspector, foundInRequest }: Leaving,
): LeavingBody {
  if (body.kind === 'whole' || !leaving || inspector === null) return body;
  const charset = charsetOf(recorded.accepted.caller.request.headers['content-type']);
  return { kind: 'flowing', stream: scan(body.stream, charset, inspector, foundInRequest) };
}

function destinationOf({ resolved: { endpoint }, decisionId }: Recorded): Destination {
  return { endpoint: endpoint.name, provider: endpoint.provider.slug, model: endpoint.modelSlug, decisionId };
}
