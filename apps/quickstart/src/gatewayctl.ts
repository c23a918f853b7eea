import { spawn } from 'node:child_process';
import { StartFault } from './fault.ts';

/** Runs operator commands with the owner's address, as a person at a terminal does. */
export type Gatewayctl = (...args: readonly string[]) => Promise<string>;

/**
 * @param program the built `gatewayctl.js`
 * @param folder contains the operator's signing key
 * @returns a function that resolves with the command's output
 * @throws StartFault with the command's own message if it failed
 */
export function gatewayctl(
  program: string,
  ownerUrl: string,
  folder: string,
  machine: Readonly<Record<string, string>>,
): Gatewayctl {
  return (...args) =>
    new Promise((resolve, reject) => {
      const child = spawn(process.execPath, [program, ...args], {
        stdio: ['ignore', 'pipe', 'pipe'],
        env: { ...machine, DATABASE_URL: ownerUrl, GATEWAY_STATE_DIR: folder },
      });
      let printed = '';
      let trouble = '';
      child.stdout.setEncoding('utf8').on('data', (text: string) => {
        printed += text;
      });
      child.stderr.setEncoding('utf8').on('data', (text: string) => {
        trouble += text;
      });
      child.once('error', reject);
      child.once('close', (code) => {
        if (code === 0) resolve(printed);
        else reject(new StartFault(`gatewayctl ${args[0]} ended with ${code}: ${(trouble || printed).trim()}`));
      });
    });
}
