import { spawn } from 'node:child_process';

/** Opens an address in the person's browser. Never throws: the address is printed, too. */
export function openBrowser(address: string, platform: NodeJS.Platform, variables: ReadonlyMap<string, string>): void {
  const opener = openerOf(platform, variables);
  if (opener === null) return;
  const child = spawn(opener[0], [...opener.slice(1), address], { stdio: 'ignore', detached: true });
  child.on('error', () => undefined);
  child.unref();
}

/** The program that opens addresses; null where no browser can be shown. The address is never read by a shell. */
export function openerOf(
  platform: NodeJS.Platform,
  variables: ReadonlyMap<string, string>,
): readonly [string, ...string[]] | null {
  if (platform === 'darwin') return ['open'];
  if (platform === 'win32') return ['rundll32', 'url.dll,FileProtocolHandler'];
  if (variables.has('SSH_CONNECTION') || !(variables.has('DISPLAY') || variables.has('WAYLAND_DISPLAY'))) return null;
  return ['xdg-open'];
}
