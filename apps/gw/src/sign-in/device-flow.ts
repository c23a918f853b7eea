import * as oidc from 'openid-client';
import { CommandFailed } from '../process/fault.ts';
import { providerFailed, scopesOf, type TokenAnswer } from './identity-provider.ts';

/** Where a person enters which code, on any machine. */
export interface DeviceCode {
  readonly address: string;
  readonly code: string;
  /** The same address with the code in it, where the provider gives one. */
  readonly wholeAddress: string | null;
}

export interface DeviceFlowPorts {
  readonly show: (code: DeviceCode) => void;
  readonly signal: AbortSignal;
}

/** Signs in with the device authorization grant (RFC 8628): for a machine without a browser. */
export async function signInWithDevice(
  provider: oidc.Configuration,
  { show, signal }: DeviceFlowPorts,
): Promise<TokenAnswer> {
  const { issuer, device_authorization_endpoint: endpoint } = provider.serverMetadata();
  if (endpoint === undefined) {
    throw new CommandFailed(`The identity provider ${issuer} offers no device flow. Run gw login without --device.`);
  }
  let ends = signal;
  try {
    const started = await oidc.initiateDeviceAuthorization(provider, { scope: scopesOf(provider) });
    show({
      address: started.verification_uri,
      code: started.user_code,
      wholeAddress: started.verification_uri_complete ?? null,
    });
    ends = AbortSignal.any([signal, AbortSignal.timeout(started.expires_in * 1000)]);
    return await oidc.pollDeviceAuthorizationGrant(provider, started, undefined, { signal: ends });
  } catch (error) {
    if (signal.aborted) throw signal.reason;
    if (ends.aborted) throw new CommandFailed('Nobody entered the code in time. Run gw login again.');
    throw providerFailed(issuer, error);
  }
}
