import type { World } from '../world.ts';
import type { Fault } from './fault.ts';

/** Calls go to the gateways in turn, together with those of others: this many reach each of them. */
const MOST_CALLS = 40;

/** Statuses of calls with a token, up to the first that is refused because the provider is away. */
async function withToken({ callers, identity }: World): Promise<readonly number[]> {
  const statuses: number[] = [];
  while (statuses.length < MOST_CALLS && !statuses.includes(503)) {
    statuses.push(await callers.call('plain', identity.token()));
  }
  return statuses;
}

/** Faults of the identity provider. */
export const IDENTITY_FAULTS: readonly Fault[] = [
  {
    name: 'identity provider down',
    async run(world) {
      const { gateways, identity, moreCalls, random } = world;
      await identity.stop();
      // A gateway that has the provider's keys serves on; one that has just started has none.
      await gateways.killAndRestart(random.below(gateways.count));
      const statuses = await withToken(world);
      await moreCalls(40);
      await identity.start();
      // 0: no answer, of the gateway that was killed.
      const isRefused = statuses.includes(503) && statuses.every((status) => [0, 200, 503].includes(status));
      if (!isRefused) throw new Error(`Without the identity provider, calls with a token got ${statuses.join(', ')}.`);
    },
  },
  {
    name: 'identity provider exchanges its keys',
    async run({ identity, moreCalls }) {
      await identity.exchangeKeys();
      await moreCalls(40);
    },
  },
];
