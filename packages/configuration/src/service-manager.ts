import { execFile } from 'node:child_process';
import type { Environment } from './reading.ts';

/** How long `systemd-notify` may take. systemd itself waits for 90 seconds by default. */
const NOTIFY_MILLISECONDS = 10_000;

/**
 * Tells systemd that the program serves, where its unit has `Type=notify`. Node.js cannot send to a Unix datagram socket, so
 * systemd's own program does it, which is why the unit needs `NotifyAccess=all`.
 * @returns the line for the operator if it failed, else null
 */
export function notifyReady(environment: Environment): Promise<string | null> {
  const { NOTIFY_SOCKET, PATH } = environment;
  if (NOTIFY_SOCKET === undefined || NOTIFY_SOCKET === '') return Promise.resolve(null);
  return new Promise((resolve) => {
    // It gets no other variable: the environment contains the address of the database and the providers' keys.
    const options = { env: { NOTIFY_SOCKET, PATH }, timeout: NOTIFY_MILLISECONDS };
    execFile('systemd-notify', ['--ready'], options, (error) => {
      if (error === null) return resolve(null);
      const why = typeof error.code === 'string' ? error.code : `exit code ${error.code}`;
      resolve(`NOTIFY_SOCKET: systemd was not told that the program is ready: systemd-notify failed (${why}).`);
    });
  });
}
