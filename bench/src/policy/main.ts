import { writeFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import postgres from 'postgres';
import { p50, ratio, throughput, typical } from '../figures.ts';
import { startLoad } from '../load/load.ts';
import { type Gateway, gateway } from '../peers/gateway.ts';
import { startProgram } from '../program.ts';
import { number, table } from '../report.ts';
import { interleave, warmUp } from '../rounds.ts';
import { TWENTY_POLICIES } from './set.ts';

/** `npm run bench:policy`: what an authorization policy costs the relayed call, in interleaved rounds of three gateways. */
const { values } = parseArgs({
  options: {
    json: { type: 'string' },
    rounds: { type: 'string', default: '8' },
    milliseconds: { type: 'string', default: '1500' },
  },
});
const [rounds, milliseconds] = [Number(values.rounds), Number(values.milliseconds)];

const NONE = 'no policy';
const LIFTED = 'a policy, lifted again';
const TWENTY = '20 policies';

async function install({ database }: Gateway, ...texts: readonly string[]): Promise<void> {
  const sql = postgres(database.owner, { max: 1 });
  for (const [index, cedar] of texts.entries()) {
    await sql`insert into authorization_policies (revision, cedar, author) values (${index + 1}, ${cedar}, 'bench')`;
  }
  await sql.end();
}

const engine = await startProgram(new URL('../engine.ts', import.meta.url));
const load = startLoad();
const peers: Gateway[] = [];
try {
  for (const name of [NONE, LIFTED, TWENTY]) peers.push(await gateway(name, engine.url));
  const [, lifted, twenty] = peers as [Gateway, Gateway, Gateway];
  await install(lifted, TWENTY_POLICIES.join('\n'), '');
  await install(twenty, TWENTY_POLICIES.join('\n'));
  for (const peer of peers) await warmUp(load, peer);
  const slower: Record<string, Record<string, number>> = {};
  for (const callers of [1, 16, 64, 256]) {
    const outcomes = await interleave(load, peers, rounds, (target) => ({
      target,
      answer: 'plain',
      milliseconds,
      arrival: 'closed',
      callers,
    }));
    slower[callers] = Object.fromEntries(peers.map(({ name }) => [name, 1 - ratio(outcomes, name, NONE)]));
    const rows = peers.map(({ name }) => [
      name,
      number(typical(outcomes, name, throughput), 0),
      number(ratio(outcomes, name, NONE)),
      number(typical(outcomes, name, p50)),
    ]);
    process.stdout.write(`${table(`${callers} callers`, ['', 'calls/s', '÷ no policy', 'p50 ms'], rows)}\n`);
  }
  if (values.json !== undefined) writeFileSync(values.json, `${JSON.stringify({ slower }, null, 2)}\n`);
} finally {
  load.stop();
  await Promise.all(peers.map((peer) => peer.stop()));
  engine.child.kill();
}
