import postgres from 'postgres';
import { compare } from '../compare.ts';
import { ratio } from '../measures/figures.ts';
import type { Gateway } from '../peers/gateway.ts';
import { TWENTY_POLICIES } from './set.ts';

const NONE = 'no policy';
const TWENTY = TWENTY_POLICIES.join('\n');
/** The policies installed, in this order, in each gateway. */
const INSTALLED = new Map<string, readonly string[]>([
  [NONE, []],
  ['a policy, lifted again', [TWENTY, '']],
  ['20 policies', [TWENTY]],
]);

async function install({ name, database }: Gateway): Promise<void> {
  const sql = postgres(database.owner, { max: 1 });
  for (const [index, cedar] of (INSTALLED.get(name) ?? []).entries()) {
    await sql`insert into authorization_policies (revision, cedar, author) values (${index + 1}, ${cedar}, 'bench')`;
  }
  await sql.end();
}

await compare({
  script: 'bench:policy',
  measures: 'Measures what an authorization policy costs the relayed call.',
  gateways: new Map([...INSTALLED.keys()].map((name) => [name, []])),
  against: [NONE],
  callers: '1,16,64,256',
  async prepare(gateways) {
    for (const one of gateways) await install(one);
  },
  kept: 'slower',
  figures: (rounds) => Object.fromEntries([...rounds.keys()].map((name) => [name, 1 - ratio(rounds, name, NONE)])),
});
