import { realpathSync } from 'node:fs';
import { legible } from '@gateway/contract/legible';
import { openProjectTrust } from '../../compose/session-options.ts';
import { findProject } from '../../files/project.ts';
import { signInToServer } from '../../mcp/sign-in.ts';
import type { ServerConfiguration } from '../../mcp/transport.ts';
import type { Context } from '../../process/context.ts';
import { CommandFailed, WrongUsage } from '../../process/fault.ts';
import { openBrowser } from '../../sign-in/browser.ts';
import { credentialsFile } from '../../sign-in/credentials-file.ts';
import { EXIT } from '../command/command.ts';

/** Signs in at an MCP server of the configuration, or at an address. */
export async function runServerLogin(context: Context, word: string): Promise<number> {
  const { environment, terminal, machine } = context;
  const home = homeOf(context);
  const server = await findServer(context, word);
  const signal = context.interrupted();
  try {
    const isSignedIn = await signInToServer(server, {
      signIns: credentialsFile(home).servers,
      signal,
      show(address) {
        terminal.report(
          `Sign in with your browser. If it does not open, open this address on this machine:\n\n${legible(address)}\n\n`,
        );
        openBrowser(address, machine.platform, environment.variables);
      },
    });
    const what = isSignedIn ? 'Signed in to' : 'No sign-in is needed for';
    await terminal.write(`${what} the MCP server ${legible(server.name)} (${legible(server.url ?? '')}).\n`);
    return EXIT.done;
  } catch (error) {
    if (signal.aborted) return EXIT.interrupted;
    throw error;
  }
}

/** Deletes the tokens of an MCP server. */
export async function runServerLogout(context: Context, word: string): Promise<number> {
  const { url = '' } = await findServer(context, word);
  const { servers } = credentialsFile(homeOf(context));
  const kept = await servers.read(url);
  await servers.update(url, async () => null);
  await context.terminal.write(
    kept === null
      ? `Nobody is signed in to ${legible(url)}.\n`
      : `Signed out of ${legible(url)}. The tokens are deleted here, but not revoked.\n`,
  );
  return EXIT.done;
}

function homeOf({ environment }: Context): string {
  if (environment.homeDirectory !== null) return environment.homeDirectory;
  throw new CommandFailed('You have no home directory to keep a sign-in in. Set HOME.');
}

/** By its name in the configuration, or by its address. */
async function findServer(context: Context, word: string): Promise<ServerConfiguration> {
  const url = URL.parse(word);
  if (url !== null && /^https?:$/.test(url.protocol)) return { name: url.host, url: word, ofProject: false };
  const { environment } = context;
  const directory = realpathSync.native(environment.workingDirectory ?? '/');
  const project = await findProject(directory, environment.userId);
  const { settings } = await openProjectTrust(context, project, homeOf(context), null);
  const found = settings.servers.find(({ name }) => name === word);
  if (found !== undefined) return found;
  const names = settings.servers.map(({ name }) => name).join(', ') || '(none)';
  throw new WrongUsage(`--mcp ${word}: the configuration has no such MCP server. Its servers are: ${names}.`);
}
