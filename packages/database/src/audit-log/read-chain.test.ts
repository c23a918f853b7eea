import { createSigner, generateSigningKey, verifyChain } from '@gateway/ledger';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { parseDatabaseAddress } from '../client/address.ts';
import { aDecision, createTestDatabase, type TestDatabase } from '../testing/index.ts';
import { appendAdministrationAction } from './append-action.ts';
import { createDecisionLog } from './decision-log.ts';
import { ACTIONS, type ChainName, DECISIONS } from './names.ts';
import { readChain, readChainEnd } from './read-chain.ts';
import { readSigningKeys } from './signing-keys.ts';

const ENTRIES = 12;
const PAGE = 5;
const signer = createSigner(generateSigningKey());
let database: TestDatabase;

beforeEach(async () => {
  database = await createTestDatabase();
  const log = createDecisionLog({ address: parseDatabaseAddress(database.gatewayUrl), signer, budgetMs: 5000 });
  for (let index = 0; index < ENTRIES; index += 1) await log.append(aDecision({ requestId: `request-${index}` }));
  log.close();
  const act = { component: 'console', author: 'a', action: 'x', target: 'y', oldValue: null, newValue: null } as const;
  for (let index = 0; index < ENTRIES; index += 1) {
    await database.sql.begin((sql) => appendAdministrationAction(sql, act, signer));
  }
});
afterEach(() => database.drop());

async function verdictOn(chain: ChainName) {
  const { sql } = database;
  const { lastEntry, lastSeal } = await readChainEnd(sql, chain);
  const keys = await readSigningKeys(sql);
  return verifyChain(readChain(sql, chain, lastEntry, { page: PAGE }), { chain, keys, lastSeal });
}

async function sequences(chain: ChainName, options: { after?: bigint; page: number }): Promise<number[]> {
  const found: number[] = [];
  for await (const { sequence } of readChain(database.sql, chain, BigInt(ENTRIES), options))
    found.push(Number(sequence));
  return found;
}
const counting = (from: number) => Array.from({ length: ENTRIES - from + 1 }, (_, index) => from + index);

describe('a chain', () => {
  it('is read completely, for any page size, and from an entry on', async () => {
    for (const page of [1, 5, 11, 12, 13]) expect(await sequences(DECISIONS, { page })).toEqual(counting(1));
    expect(await sequences(ACTIONS, { page: 3, after: 6n })).toEqual(counting(7));
    expect(await sequences(DECISIONS, { page: 3, after: 12n })).toEqual([]);
    expect(await verdictOn(DECISIONS)).toMatchObject({ ok: true, entries: 12n });
    expect(await verdictOn(ACTIONS)).toMatchObject({ ok: true, entries: 12n });
  });
});

/** The owner can drop a table's constraints, and then insert rows that this product never writes. */
const FREED = `
  alter table CHAIN drop constraint CHAIN_pkey; alter table CHAIN drop constraint CHAIN_id_key;
  alter table CHAIN alter sequence drop not null; alter table CHAIN alter at drop not null;
  alter table CHAIN alter previous drop not null; alter table CHAIN alter digest drop not null;
  alter table CHAIN alter id drop not null; alter table CHAIN alter at type timestamptz(6);`;
const again = (entry: number, sequence = 'sequence') =>
  `create temporary table again as select * from CHAIN where sequence = ${entry}; update again set sequence = ${sequence};
   insert into CHAIN select * from again`;

describe.each<ChainName>([DECISIONS, ACTIONS])('%s, its constraints dropped', (chain) => {
  it.each<[string, string, string, number]>([
    ['a second entry of one sequence', again(4), 'sequence', 5],
    ['a second entry at the end of a page', again(5), 'sequence', 6],
    ['a second entry at the end of the log', again(12), 'sequence', 13],
    ['an entry with no sequence', again(5, 'null'), 'sequence', 1],
    ['an entry with the least sequence there is', again(5, '-9223372036854775808'), 'sequence', 1],
    ['an entry without its time', 'update CHAIN set at = null where sequence = 5', 'digest', 5],
    [
      'an entry some microseconds later',
      `update CHAIN set at = at + interval '400 us' where sequence = 5`,
      'digest',
      5,
    ],
    ['an entry without its link', 'update CHAIN set previous = null where sequence = 5', 'link', 5],
    ['an entry without its digest', 'update CHAIN set digest = null where sequence = 5', 'digest', 5],
    ['an entry without its id', 'update CHAIN set id = null where sequence = 5', 'digest', 5],
  ])('%s is found', async (_, change, fault, sequence) => {
    await database.sql.begin((sql) => sql.unsafe(`${FREED} ${change}`.replaceAll('CHAIN', chain)));
    expect(await verdictOn(chain)).toMatchObject({ ok: false, fault, sequence: BigInt(sequence) });
  });
});
