import { createSigner, generateSigningKey } from '@gateway/ledger';
import { createDecisionLog } from '../audit-log/decision-log.ts';
import { parseDatabaseAddress } from '../client/connect.ts';
import { aDecision } from './decision.ts';

/** A gateway as the log sees it: appends the given number of decisions, and prints each sequence once it is durable. */
const [, , url = '', count = '0', callers = '1'] = process.argv;
const log = createDecisionLog({
  address: parseDatabaseAddress(url),
  signer: createSigner(generateSigningKey()),
  budgetMs: 20_000,
});
let left = Number(count);
await Promise.all(
  Array.from({ length: Number(callers) }, async () => {
    while (left > 0) {
      left -= 1;
      const { sequence } = await log.append(aDecision());
      process.stdout.write(`${sequence}\n`);
    }
  }),
);
log.close();
