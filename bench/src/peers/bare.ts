import type { Peer } from './peer.ts';
import { startProgram } from './program.ts';

export async function bare(engine: URL): Promise<Peer> {
  const { child, url } = await startProgram(new URL('bare-proxy.ts', import.meta.url), [engine.origin]);
  return {
    name: 'bare proxy',
    target: { port: Number(url.port), path: '/v1/chat/completions', headers: {} },
    pid: child.pid ?? null,
    postmaster: null,
    stop: async () => {
      child.kill();
    },
  };
}
