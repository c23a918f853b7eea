import { isAccountKey } from '@gateway/contract';
import { legible } from '@gateway/contract/legible';
import { claimsIn } from '../../organization/control-plane.ts';
import type { Context } from '../../process/context.ts';
import { CommandFailed, WrongUsage } from '../../process/fault.ts';
import { createFetch } from '../../process/network.ts';
import { openBrowser } from '../../sign-in/browser.ts';
import { isReadOnTheWay, readConfiguredGateway } from '../../sign-in/configured-gateway.ts';
import { type LoginPorts, loginWithKey, loginWithProvider, type SignedIn } from '../../sign-in/login.ts';
import { EXIT } from '../command/command.ts';

export interface LoginOptions {
  readonly gateway: string | null;
  readonly way: 'code' | 'device' | 'key';
}

export async function runLogin(context: Context, options: LoginOptions): Promise<number> {
  const { environment, terminal } = context;
  const home = environment.homeDirectory;
  if (home === null) throw new CommandFailed('You have no home directory to keep a sign-in in. Set HOME.');
  const gateway = await readConfiguredGateway(environment, options.gateway);
  if (isReadOnTheWay(gateway)) {
    terminal.report(`gw: warning: ${gateway} has no TLS. Anybody who can read the network can read your sign-in.\n`);
  }
  const signal = context.interrupted();
  const ports: LoginPorts = { home, now: context.now, fetch: createFetch(environment.variables), signal };
  try {
    const signedIn = await signIn(context, gateway, options.way, ports);
    if (signedIn === null) return EXIT.interrupted;
    await terminal.write(summaryOf(gateway, signedIn));
    return EXIT.done;
  } catch (error) {
    if (signal.aborted) return EXIT.interrupted;
    throw error;
  }
}

async function signIn(
  context: Context,
  gateway: string,
  way: LoginOptions['way'],
  ports: LoginPorts,
): Promise<SignedIn | null> {
  if (way === 'key') {
    const key = await readKey(context);
    return key === null ? null : loginWithKey(gateway, key, ports);
  }
  const { terminal, machine, environment } = context;
  if (way === 'device') {
    return loginWithProvider(gateway, ports, {
      flow: 'device',
      show: ({ address, code, wholeAddress }) =>
        terminal.report(
          `${legible(`Open ${wholeAddress ?? address} on any machine${wholeAddress === null ? '' : ','} and enter the code ${code}`)}\n`,
        ),
    });
  }
  return loginWithProvider(gateway, ports, {
    flow: 'code',
    show: (address) => {
      terminal.report(
        `Sign in with your browser. If it does not open, open this address on this machine:\n\n${address}\n\n`,
      );
      openBrowser(address, machine.platform, environment.variables);
    },
  });
}

/** Null where the person interrupted. */
async function readKey({ terminal }: Context): Promise<string | null> {
  let text: string | null;
  if (terminal.input) {
    terminal.report('Account key (not shown): ');
    text = await terminal.readHidden();
    terminal.report('\n');
  } else text = await terminal.readAll();
  if (text === null) return null;
  const key = text.trim();
  if (isAccountKey(key)) return key;
  throw new WrongUsage(
    '--key: this is not an account key. A key is gwk_ and 48 hexadecimal digits, as your administrator gave it to you.',
  );
}

function summaryOf(gateway: string, { endpoints, token }: SignedIn): string {
  const who = token === null ? 'with an account key' : `as ${String(claimsIn(token.idToken)['sub'])}`;
  const lines = [
    `Signed in to ${gateway} ${who}.`,
    endpoints.length === 0 ? 'The gateway has no endpoint yet.' : `Endpoints: ${endpoints.join(', ')}`,
  ];
  if (token !== null && token.refreshToken === null) {
    lines.push(`The identity provider allows no renewal: sign in again after ${token.expiresAt}.`);
  }
  return `${lines.map(legible).join('\n')}\n`;
}
