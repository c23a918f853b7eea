import type { AuthMethod } from '@agentclientprotocol/sdk';
import type { Workspace } from '../compose/workspace.ts';
import { createFetch } from '../network/fetch.ts';
import type { Context } from '../process/context.ts';
import { CommandFailed, WrongUsage } from '../process/fault.ts';
import { openBrowser } from '../sign-in/browser.ts';
import { readConfiguredGateway } from '../sign-in/configured-gateway.ts';
import { loginWithProvider } from '../sign-in/login.ts';
import { logout } from '../sign-in/logout.ts';
import { SignInNeeded } from './request-error.ts';

const BROWSER = 'gateway-browser';

export function authMethods(inTerminal: boolean): AuthMethod[] {
  const browser = { id: BROWSER, name: 'Sign in to the gateway', description: 'Opens your browser, as gw login does.' };
  const terminal = { ...browser, type: 'terminal' as const, id: 'gateway-terminal', args: ['--login'] };
  return inTerminal ? [browser, { ...terminal, name: 'Sign in to the gateway in a terminal' }] : [browser];
}

/** `gw login` on behalf of the editor. The address is on standard error, too, which editors keep in a log. */
export async function signIn(context: Context, method: string, signal: AbortSignal): Promise<void> {
  if (method !== BROWSER) throw new WrongUsage(`There is no sign-in method ${JSON.stringify(method)}.`);
  const { environment, machine, terminal, now } = context;
  const home = homeOf(context);
  const gateway = await readConfiguredGateway(environment, null);
  const ports = { home, now, fetch: createFetch(environment.variables), signal };
  await loginWithProvider(gateway, ports, {
    flow: 'code',
    show(address) {
      terminal.report(`Sign in with your browser. If it does not open, open this address:\n\n${address}\n\n`);
      openBrowser(address, machine.platform, environment.variables);
    },
  });
}

export async function signOut(context: Context): Promise<void> {
  const { environment } = context;
  const gateway = await readConfiguredGateway(environment, null);
  await logout(gateway, homeOf(context), createFetch(environment.variables));
}

/** Throws `SignInNeeded` if the model is the gateway's and no credential identifies the user. */
export async function requireSignIn(workspace: Workspace): Promise<void> {
  const { model } = workspace;
  if (!model.atGateway) return;
  const proof = await workspace.proofFor(model).catch((error: Error) => {
    throw new SignInNeeded(error.message);
  });
  if (proof === null) throw new SignInNeeded('Nobody is signed in to the gateway. Sign in, or run gw login.');
}

function homeOf({ environment }: Context): string {
  if (environment.homeDirectory === null)
    throw new CommandFailed('You have no home directory to keep a sign-in in. Set HOME.');
  return environment.homeDirectory;
}
