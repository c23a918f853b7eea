import { type Fault, pause } from './fault.ts';

/** Faults of the gateway process. */
export const PROCESS_FAULTS: readonly Fault[] = [
  {
    name: 'gateway killed',
    async run({ gateways, moreCalls, random }) {
      await moreCalls(random.below(60));
      await gateways.killAndRestart(random.below(gateways.count));
    },
  },
  {
    name: 'every gateway killed',
    async run({ gateways, moreCalls, random }) {
      await moreCalls(random.below(60));
      await Promise.all(Array.from({ length: gateways.count }, (_, number) => gateways.killAndRestart(number)));
    },
  },
  {
    name: 'gateway and PostgreSQL killed together',
    async run({ database, gateways, random }) {
      const number = random.below(gateways.count);
      await database.server.kill();
      database.counts.kills += 1;
      const restarted = gateways.killAndRestart(number);
      await database.server.restart();
      database.counts.restarts += 1;
      await restarted;
    },
  },
  {
    name: 'gateway asked to end under load',
    async run({ gateways, random }) {
      const { code, log } = await gateways.drainAndRestart(random.below(gateways.count));
      if (code !== 0) throw new Error(`A gateway that was asked to end had exit code ${code}: ${log}`);
    },
  },
  {
    name: 'clock ten minutes ahead, and back',
    async run({ gateways, moreCalls, random }) {
      const number = random.below(gateways.count);
      gateways.shiftClock(number);
      await moreCalls(100);
      gateways.shiftClock(number);
      await pause(50);
    },
  },
];
