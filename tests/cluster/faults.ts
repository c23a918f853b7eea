import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Member } from './patroni.ts';
import { pause, type World } from './world.ts';

export interface Fault {
  readonly name: string;
  /** Makes it, and takes it away again. The suite waits for recovery. */
  readonly run: (world: World) => Promise<void>;
}

/** @throws where nobody leads for a minute */
async function leaderOf({ cluster }: World): Promise<Member> {
  const end = performance.now() + 60_000;
  while (performance.now() < end) {
    const leader = await cluster.leader();
    if (leader !== null) return leader;
    await pause(200);
  }
  throw new Error('The cluster has no leader.');
}

const othersThan = ({ cluster }: World, leader: Member): readonly Member[] =>
  cluster.members.filter((one) => one !== leader);

/** Until another member leads, or a minute has passed. */
async function untilAnotherLeads({ cluster }: World, before: Member): Promise<void> {
  const end = performance.now() + 60_000;
  while (performance.now() < end) {
    const leader = await cluster.leader();
    if (leader !== null && leader !== before) return;
    await pause(200);
  }
}

/** The member that may take over: the synchronous one, where there is one. */
async function candidate(world: World, leader: Member): Promise<Member> {
  const others = othersThan(world, leader);
  if (!world.synchronous) return world.random.pick(others);
  const rows = JSON.parse(await world.cluster.control('list', '-f', 'json')) as readonly Record<string, string>[];
  const standby = rows.find(({ Role }) => Role === 'Sync Standby')?.['Member'];
  return others.find(({ host }) => host.name === standby) ?? world.random.pick(others);
}

export const SWITCHOVER = 'planned switchover';

async function switchOver(world: World): Promise<void> {
  const leader = await leaderOf(world);
  const { host } = await candidate(world, leader);
  await world.cluster.control('switchover', '--leader', leader.host.name, '--candidate', host.name, '--force');
}

/** Kills the leader while its standbys lack its last entries. */
async function killAhead(world: World): Promise<void> {
  const leader = await leaderOf(world);
  for (const { host } of othersThan(world, leader)) leader.host.cutFrom(host);
  await pause(1500);
  // With synchronous replication no commit ends until Patroni lets the leader commit alone.
  if (!world.synchronous) await world.keepCheckpoint();
  leader.killAll();
  leader.host.heal();
  if (!world.synchronous) await untilAnotherLeads(world, leader);
  else await pause(20_000); // nobody may take over but a synchronous standby
  leader.start();
}

export const FAULTS: readonly Fault[] = [
  { name: SWITCHOVER, run: switchOver },
  {
    name: 'PostgreSQL of the leader killed',
    async run(world) {
      (await leaderOf(world)).killPostgres();
      await pause(1000);
    },
  },
  {
    name: 'leader killed with Patroni',
    async run(world) {
      const leader = await leaderOf(world);
      leader.killAll();
      await untilAnotherLeads(world, leader);
      leader.start();
    },
  },
  {
    name: 'leader frozen for seconds',
    async run(world) {
      const { host } = await leaderOf(world);
      host.signal('SIGSTOP');
      await pause(1000 + world.random.below(5000));
      host.signal('SIGCONT');
    },
  },
  {
    name: 'leader frozen until another leads',
    async run(world) {
      const leader = await leaderOf(world);
      leader.host.signal('SIGSTOP');
      await untilAnotherLeads(world, leader);
      await pause(world.random.below(3000));
      leader.host.signal('SIGCONT');
    },
  },
  {
    name: 'leader cut from etcd',
    async run(world) {
      const leader = await leaderOf(world);
      leader.host.cutFrom(world.cluster.etcd);
      await untilAnotherLeads(world, leader);
      leader.host.heal();
    },
  },
  {
    name: 'leader cut from etcd and its standbys',
    async run(world) {
      const leader = await leaderOf(world);
      for (const { host } of othersThan(world, leader)) leader.host.cutFrom(host);
      leader.host.cutFrom(world.cluster.etcd);
      await untilAnotherLeads(world, leader);
      leader.host.heal();
    },
  },
  { name: 'leader cut from its standbys, then killed', run: killAhead },
  {
    name: 'etcd frozen',
    async run({ cluster, random }) {
      cluster.etcd.signal('SIGSTOP');
      await pause(2000 + random.below(15_000));
      cluster.etcd.signal('SIGCONT');
    },
  },
  {
    name: 'leader demoted by a fail-over',
    async run(world) {
      const { host } = await candidate(world, await leaderOf(world));
      await world.cluster.control('failover', '--candidate', host.name, '--force');
    },
  },
  {
    name: 'disk of the leader full',
    async run(world) {
      const leader = await leaderOf(world);
      const filler = join(leader.folder, 'filler');
      const block = Buffer.alloc(4 * 1024 * 1024);
      const end = performance.now() + 12_000;
      while (performance.now() < end) {
        try {
          for (;;) writeFileSync(filler, block, { flag: 'a' });
        } catch {
          await pause(500); // full, until the server frees some
        }
      }
      rmSync(filler);
      leader.start();
    },
  },
  {
    name: 'standbys that replay nothing, then the leader killed',
    async run(world) {
      const leader = await leaderOf(world);
      const standbys = othersThan(world, leader);
      for (const standby of standbys) world.cluster.on(standby, 'select pg_wal_replay_pause()');
      await pause(3000);
      leader.killAll();
      await untilAnotherLeads(world, leader);
      const resume = 'select pg_wal_replay_resume() where pg_is_in_recovery()';
      for (const standby of standbys) world.cluster.on(standby, resume);
      leader.start();
    },
  },
];
