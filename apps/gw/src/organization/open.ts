import type { Organization } from '../agent/types.ts';
import type { ControlPlane } from './control-plane.ts';
import { readLicense } from './license.ts';
import { NO_ORGANIZATION } from './no-organization.ts';
import { subjectOf } from './subject.ts';

export interface OpenOptions {
  readonly variables: ReadonlyMap<string, string>;
  readonly userName: string | null;
  readonly home: string;
  /** Base address of the configured gateway, without a slash at its end; null where none is configured. */
  readonly gateway: string | null;
  /** The credential for the gateway; its `sub` is the subject of acts. */
  readonly credential: string | null;
  readonly now: () => Date;
  readonly mask: (text: string) => string;
  readonly fetch: typeof fetch;
}

/** How to ask the gateway as a workstation. Null without a gateway or a license. */
export async function controlPlaneOf({
  variables,
  gateway,
  fetch,
}: Pick<OpenOptions, 'variables' | 'gateway' | 'fetch'>): Promise<ControlPlane | null> {
  const license = await readLicense(variables);
  return gateway === null || license === null ? null : { gateway, license, fetch };
}

/**
 * The organization of a session. Without a gateway or a license nothing is imposed and nothing is sent.
 * @throws WrongUsage for a license that cannot be read.
 */
export async function openOrganization(options: OpenOptions): Promise<Organization> {
  const plane = await controlPlaneOf(options);
  if (plane === null) return NO_ORGANIZATION;
  const { createOrganization } = await import('./organization.ts');
  return createOrganization({ ...options, plane, subject: subjectOf(options) });
}
