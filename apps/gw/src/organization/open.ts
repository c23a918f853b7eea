import type { Organization } from '../agent/types/index.ts';
import { FIXES, readText } from '../files/reading.ts';
import { WrongUsage } from '../process/fault.ts';
import { type ControlPlane, subjectOf } from './control-plane.ts';

/**
 * The deployment's license, which the gateway asks of workstations. Null where there is none.
 * @throws WrongUsage where two are given, or the file cannot be read.
 */
export async function readLicense(variables: ReadonlyMap<string, string>): Promise<string | null> {
  const license = variables.get('GATEWAY_LICENSE');
  const file = variables.get('GATEWAY_LICENSE_FILE');
  if (license !== undefined && file !== undefined) {
    throw new WrongUsage('GATEWAY_LICENSE and GATEWAY_LICENSE_FILE are both set. Unset one of them.');
  }
  if (file === undefined) return license === undefined ? null : usable('GATEWAY_LICENSE', license);
  const read = await readText(file);
  if (read.state !== 'read') {
    throw new WrongUsage(`GATEWAY_LICENSE_FILE: ${file} cannot be read (${read.state}). ${FIXES[read.state]}`);
  }
  return usable(`GATEWAY_LICENSE_FILE: ${file}`, read.text);
}

/** A header takes no white space within a license, nor anything that is not ASCII. */
function usable(where: string, text: string): string {
  const license = text.trim();
  if (/^[\x21-\x7e]+$/.test(license)) return license;
  throw new WrongUsage(`${where} contains no license. Set it to the text that your administrator gave you.`);
}

/** Without a license or a gateway nothing is imposed and nothing is sent. */
export const NO_ORGANIZATION: Organization = {
  policy: async () => ({
    source: 'none',
    revision: null,
    document: null,
    tools: {},
    commands: 'workstation',
    notice: null,
  }),
  standing: async () => 'in force',
  act: () => undefined,
  flush: async () => null,
};

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
