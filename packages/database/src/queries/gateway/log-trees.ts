import {
  consistencyPath,
  GENESIS,
  readFromTiles,
  type SealedPosition,
  type Signer,
  type TreeCheckpoint,
} from '@gateway/ledger';
import {
  ACTIONS,
  type ChainName,
  type CheckpointSigner,
  DECISIONS,
  extendTree,
  proveContinuation,
  readStoredTiles,
  registerSigningKey,
  signTree,
} from '../../audit-log/index.ts';
import { answer } from '../../client/answers.ts';
import type { Link } from '../../client/link.ts';

/** The trees of the logs, as the gateway uses them behind its relay. */
export interface LogTrees {
  /** Appends the next entries that fill tiles, unless another process does. @returns whether the log has more. @throws TreeFault */
  build(chain: ChainName): Promise<boolean>;
  /** A checkpoint of the whole log. @throws TreeFault, DatabaseUnavailable */
  sign(chain: ChainName, signer: CheckpointSigner): Promise<TreeCheckpoint>;
  /** Whether the log at a checkpoint begins with the log at an older one. */
  isContinued(chain: ChainName, old: TreeCheckpoint, next: TreeCheckpoint): Promise<boolean>;
  /** The consistency proof between two sizes. */
  path(chain: ChainName, old: number, size: number): Promise<readonly Uint8Array[]>;
  close(): void;
}

/** @param budgetMs of each step: a few thousand entries, or one proof. */
export function createLogTrees(link: Link, budgetMs: number): LogTrees {
  const deadline = (): number => performance.now() + budgetMs;
  return {
    build: (chain) =>
      link.run(deadline(), async (sql) => (await extendTree(sql, chain, { onlyWholeTiles: true, waits: false })).more),
    async sign(chain, signer) {
      // A new tree over an old log takes many steps.
      for (let more = true; more; )
        more = await link.run(deadline(), async (sql) => (await extendTree(sql, chain)).more);
      return link.run(deadline(), async (sql) => (await signTree(sql, chain, signer)).checkpoint);
    },
    isContinued: (chain, old, next) =>
      link.run(deadline(), async (sql) => {
        const tree = { read: readFromTiles(readStoredTiles(sql, chain)) };
        return (await proveContinuation(tree, old, next)) !== null;
      }),
    path: (chain, old, size) =>
      link.run(deadline(), (sql) => consistencyPath(old, size, readFromTiles(readStoredTiles(sql, chain)))),
    close: () => link.cut(),
  };
}

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
