import { setTimeout as pause } from 'node:timers/promises';
import type { Component } from './component.ts';
import { StartFault } from './fault.ts';

/** How long a service may take to end in order before it is made to. */
const END_MILLISECONDS = 5000;
/** A service that ends again this soon after it was started again has a fault that a new start does not fix. */
const SETTLED_MILLISECONDS = 10_000;

/** A service that is started again when it ends by itself. */
export interface Service {
  /** Where it listens. */
  readonly address: string;
  /** Rejects when it ended by itself and does not stay up. Never resolves. */
  readonly broken: Promise<never>;
  stop(): Promise<void>;
}

/**
 * Starts a service and supervises it: when it is ended from outside, this is logged and it is restarted.
 * @param begin starts it; the caller handles a failed first start
 * @param signal once aborted, an ended service is not restarted
 */
export async function keepUp(
  begin: () => Promise<Component>,
  signal: AbortSignal,
  print: (line: string) => void,
  settledMilliseconds = SETTLED_MILLISECONDS,
): Promise<Service> {
  let current = await begin();
  let stopping = false;
  /** The last start, also while it runs: what is stopped meanwhile must not serve afterwards. */
  let started: Promise<unknown> = Promise.resolve();
  const watch = async (): Promise<never> => {
    for (;;) {
      const began = Date.now();
      const how = await current.ended;
      if (signal.aborted || stopping) return new Promise<never>(() => undefined);
      if (Date.now() - began < settledMilliseconds) throw new StartFault(`The ${current.name} ${how}.`);
      print(`The ${current.name} ${how}; it is started again.`);
      await pause(200);
      if (signal.aborted || stopping) return new Promise<never>(() => undefined);
      const next = begin();
      started = next.catch(() => undefined);
      current = await next;
    }
  };
  const broken = watch();
  broken.catch(() => undefined); // nobody waits for it while everything is being started or ended
  return {
    address: current.address,
    broken,
    stop: async () => {
      stopping = true; // also where a fault elsewhere, and not the signal, ends everything
      await started;
      await current.stop(END_MILLISECONDS);
    },
  };
}
