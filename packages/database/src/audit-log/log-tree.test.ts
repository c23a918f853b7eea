import { createSigner, generateSigningKey } from '@gateway/ledger';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { parseDatabaseAddress } from '../client/address.ts';
import { connect } from '../client/connect.ts';
import { aDecision, createTestDatabase, type TestDatabase } from '../testing/index.ts';
import { createDecisionLog, type DecisionLog } from './decision-log.ts';
import { extendTree } from './log-tree.ts';
import { DECISIONS } from './names.ts';

let database: TestDatabase;
let log: DecisionLog;
beforeEach(async () => {
  database = await createTestDatabase();
  const address = parseDatabaseAddress(database.gatewayUrl);
  log = createDecisionLog({ address, signer: createSigner(generateSigningKey()), budgetMs: 5000 });
});
afterEach(async () => {
  log.close();
  await database.drop();
});

// A checkpoint or a proof asks for the whole tree, which then ends within a tile. What is built behind fills tiles only.
it.each([
  [
    [10, 3, 250, 300],
    [10, 10, 256, 512],
  ],
  [
    [0, 255, 1, 256],
    [0, 0, 256, 512],
  ],
  [
    [256, 1, 255, 100],
    [256, 256, 512, 512],
  ],
])('a tree is extended to whole tiles from any size: entries %j, sizes %j', async (entries, sizes) => {
  const sql = connect(parseDatabaseAddress(database.gatewayUrl), { max: 1 });
  const found: number[] = [];
  for (const [index, count] of entries.entries()) {
    await Promise.all(Array.from({ length: count }, () => log.append(aDecision({}))));
    found.push((await extendTree(sql, DECISIONS, { onlyWholeTiles: index > 0 })).size);
  }
  expect(found).toEqual(sizes);
  await sql.end();
});
