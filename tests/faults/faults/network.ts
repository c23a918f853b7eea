import type { Random } from '../../support/random.ts';
import type { NetworkFault } from '../network-proxy.ts';
import type { World } from '../world.ts';
import { type Fault, pause } from './fault.ts';

const NETWORK: readonly (readonly [string, (random: Random) => NetworkFault, milliseconds: number])[] = [
  ['slow', (random) => ({ kind: 'delay', milliseconds: 20 + random.below(300) }), 1500],
  ['narrow', (random) => ({ kind: 'throttle', bytesPerSecond: 2000 + random.below(50_000) }), 1500],
  ['cut at a byte', (random) => ({ kind: 'cut', bytes: random.below(3000) }), 600],
  ['reset', () => ({ kind: 'reset' }), 400],
  ['stalled', () => ({ kind: 'stall' }), 3000],
];

const between = (side: string, proxyOf: (world: World) => World['toEngine']): readonly Fault[] =>
  NETWORK.map(([name, fault, milliseconds]) => ({
    name: `network to the ${side} ${name}`,
    async run(world) {
      const proxy = proxyOf(world);
      proxy.behave(fault(world.random));
      await pause(milliseconds);
      proxy.behave(null);
    },
  }));

/** Faults of the network on both sides of the gateway. */
export const NETWORK_FAULTS: readonly Fault[] = [
  ...between('database', ({ toDatabase }) => toDatabase),
  ...between('engine', ({ toEngine }) => toEngine),
];
