import { consistencyPath, readFromTiles, type TreeCheckpoint } from '@gateway/ledger';
import {
  type ChainName,
  type CheckpointSigner,
  extendTree,
  proveContinuation,
  readStoredTiles,
  signTree,
} from '../../audit-log/index.ts';
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
