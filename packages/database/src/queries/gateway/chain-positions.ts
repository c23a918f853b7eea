import { GENESIS, type SealedPosition, type Signer } from '@gateway/ledger';
import { ACTIONS, DECISIONS, registerSigningKey } from '../../audit-log/index.ts';
import { answer } from '../../client/answers.ts';
import type { Link } from '../../client/link.ts';

/**
 * The heads of both logs, for a checkpoint. Its signer is published first: a gateway without any appended entry signs
 * checkpoints, too.
 * @throws DatabaseUnavailable
 */
export function readChainPositions(link: Link, signer: Signer, deadline: number): Promise<readonly SealedPosition[]> {
  return answer(link, deadline, async (sql) => {
    await registerSigningKey(sql, signer, 'gateway');
    return Promise.all(
      [DECISIONS, ACTIONS].map(async (chain) => {
        const [end] = await sql<{ sequence: bigint; digest: string }[]>`
          select sequence, encode(digest, 'hex') as digest from ${sql(chain)} order by sequence desc limit 1`;
        return { chain, sequence: BigInt(end?.sequence ?? 0), digest: end?.digest ?? GENESIS };
      }),
    );
  });
}
