import type { Peer } from './peer.ts';

/** Straight to the engine: what everything else is compared with. */
export function direct(engine: URL): Peer {
  return {
    name: 'direct',
    target: { port: Number(engine.port), path: '/v1/chat/completions', headers: {} },
    pid: null,
    postmaster: null,
    stop: async () => undefined,
  };
}
