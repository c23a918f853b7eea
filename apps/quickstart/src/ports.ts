import { isTaken, onFreePort } from '@gateway/database/embedded';
import { StartFault } from './fault.ts';

/** @throws StartFault naming the option when another program listens on the port that was asked for */
export async function refuseTaken(what: string, option: string, asked: number): Promise<void> {
  if (asked === 0 || !(await isTaken(asked))) return;
  throw new StartFault(
    `Port ${asked}, for the ${what}, is used by another program. End that program, or choose another port with ${option}.`,
  );
}

/** The port itself, or 0, for any, where another program listens on it. */
export async function unlessTaken(port: number): Promise<number> {
  return port !== 0 && (await isTaken(port)) ? 0 : port;
}

/** Starts a component on the requested port; for 0, on a free one that no other process takes meanwhile. */
export function onPort<Started>(asked: number, begin: (port: number) => Promise<Started>): Promise<Started> {
  return asked === 0 ? onFreePort(begin) : begin(asked);
}
