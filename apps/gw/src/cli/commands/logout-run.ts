import type { Context } from '../../process/context.ts';
import { CommandFailed } from '../../process/fault.ts';
import { createFetch } from '../../process/network.ts';
import { readConfiguredGateway } from '../../sign-in/configured-gateway.ts';
import { type LoggedOut, logout } from '../../sign-in/logout.ts';
import { EXIT } from '../command/command.ts';

export async function runLogout(context: Context, options: { readonly gateway: string | null }): Promise<number> {
  const { environment, terminal } = context;
  const home = environment.homeDirectory;
  if (home === null) throw new CommandFailed('You have no home directory, so nobody is signed in. Set HOME.');
  const gateway = await readConfiguredGateway(environment, options.gateway);
  const result = await logout(gateway, home, createFetch(environment.variables));
  await terminal.write(`${sentenceOf(gateway, result)}\n`);
  return EXIT.done;
}

function sentenceOf(gateway: string, result: LoggedOut): string {
  if (result.outcome === 'nobody') return `Nobody is signed in to ${gateway}.`;
  if (result.outcome === 'revoked') return `Signed out of ${gateway}. The tokens are deleted and revoked.`;
  if (result.outcome === 'deleted')
    return `Signed out of ${gateway}. The tokens are deleted here, but not revoked: ${result.reason}`;
  return `Signed out of ${gateway}. The account key is deleted here; it stays valid until an administrator revokes it.`;
}
