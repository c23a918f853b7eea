import { GENESIS, type SealedPlace } from '@gateway/ledger';
import { ACTIONS, DECISIONS } from '../../audit-log/index.ts';
import { answered } from '../../client/answers.ts';
import type { Link } from '../../client/link.ts';

/** Where both logs end, for a checkpoint. @throws DatabaseUnavailable */
export function readChainPlaces(link: Link, deadline: number): Promise<readonly SealedPlace[]> {
  return answered(link, deadline, (sql) =>
    Promise.all(
      [DECISIONS, ACTIONS].map(async (chain) => {
        const [end] = await sql<{ sequence: bigint; digest: string }[]>`
          select sequence, encode(digest, 'hex') as digest from ${sql(chain)} order by sequence desc limit 1`;
        return { chain, sequence: BigInt(end?.sequence ?? 0), digest: end?.digest ?? GENESIS };
      }),
    ),
  );
}
