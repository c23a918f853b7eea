import type { Gatewayctl } from './component.ts';
import type { ConsoleClient } from './console-client.ts';
import type { Ready } from './ready.ts';

/** What differs between the two profiles when everything is started on one machine. */
export interface ProfilePlan {
  /** Variables of the gateway. */
  readonly gateway: Readonly<Record<string, string>>;
  /** Variables of the console, which listens on that port. */
  console(port: number): Readonly<Record<string, string>>;
  readonly ready: Pick<Ready, 'keys' | 'license' | 'directory' | 'consoleSignIn' | 'auditorSignIn'>;
  /** Signs in to the console as the person that `consoleSignIn` names. */
  openConsole(address: string, run: Gatewayctl): Promise<ConsoleClient>;
  /** Makes the account that may call, where it is not there. Resolves with its key. */
  account(api: ConsoleClient, run: Gatewayctl): Promise<string>;
}
