import { createSigner, GENESIS, generateSigningKey } from '@gateway/ledger';
import { expect, it } from 'vitest';
import { parseDatabaseAddress } from '../client/address.ts';
import { createLink } from '../client/link.ts';
import { aDecision, createTestDatabase } from '../testing/index.ts';
import { createDecisionLog } from './decision-log.ts';
import { readChainPositions } from './log-reader.ts';

it('reads with the rights of the gateway where both logs end', async () => {
  const database = await createTestDatabase();
  const address = parseDatabaseAddress(database.gatewayUrl);
  const link = createLink({ address, applicationName: 'test', budgetMs: 5000 });
  const signer = createSigner(generateSigningKey());
  const log = createDecisionLog({ address, signer, budgetMs: 5000 });
  try {
    const places = () => readChainPositions(link, signer, performance.now() + 5000);
    const empty = { chain: 'administration_actions', sequence: 0n, digest: GENESIS };
    expect(await places()).toEqual([{ ...empty, chain: 'authorization_decisions' }, empty]);
    // A checkpoint of a gateway that has appended nothing can then be verified.
    expect(await database.sql`select id, component from signing_keys`).toEqual([
      { id: signer.keyId, component: 'gateway' },
    ]);
    await log.append(aDecision({ requestId: 'one' }));
    const [row] = await database.sql`select encode(digest, 'hex') as digest from authorization_decisions`;
    expect(await places()).toEqual([
      { chain: 'authorization_decisions', sequence: 1n, digest: row?.['digest'] as string },
      empty,
    ]);
  } finally {
    log.close();
    link.cut();
    await database.drop();
  }
});
