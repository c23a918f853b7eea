import {
  ACTIONS,
  type ChainName,
  DECISIONS,
  proveContinuation,
  proveStored,
  readChainEnd,
  readNoteKeys,
  readOriginName,
  readTreeSize,
  type SignedTree,
  signTree,
} from '@gateway/database';
import { NoteFault, openTreeCheckpoint, partsOfOrigin, TreeFault, writeInclusionProof } from '@gateway/ledger';
import * as z from 'zod';
import { faulty, okResponse, unknown } from '../http/answers.ts';
import { type Route, route } from '../routing/route.ts';
import type { Services } from '../services/services.ts';

const CHAINS = { decisions: DECISIONS, 'administration-actions': ACTIONS } as const;
const chain = z.enum(Object.keys(CHAINS) as (keyof typeof CHAINS)[]).default('decisions');

/** Entries that a request may add to the tree: the gateway builds a tree over an older log in the background. */
const MAX_ADDED = 100_000;

/** @throws TreeFault where nothing can be signed */
async function openSignedTree({ exports: sql, signer, logOrigin }: Services, name: ChainName): Promise<SignedTree> {
  const { lastEntry } = await readChainEnd(sql, name);
  const size = await readTreeSize(sql, name);
  if (Number(lastEntry) - size > MAX_ADDED) {
    throw new TreeFault(`The tree over the log is still being built: ${size} of ${lastEntry} entries are in it.`);
  }
  return signTree(sql, name, { signer, component: 'console', origin: logOrigin });
}

/** The answer, or 400 with what is wrong with the stored tree. */
async function unlessTreeFault(field: string, work: () => Promise<Response>): Promise<Response> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof TreeFault) return faulty({ [field]: `has no proof. ${error.message}` });
    throw error;
  }
}

const proof = route({
  method: 'GET',
  path: '/api/audit/proof',
  right: { permission: 'journal:lire' },
  summary:
    'Returns one entry with the proof that it is in the log, as a file for `gatewayctl journal check` and for the page of the manual.',
  answers: '200 the file',
  query: z.strictObject({ chain, sequence: z.coerce.number().int().min(1).max(Number.MAX_SAFE_INTEGER) }),
  handle: ({ query, services }) =>
    unlessTreeFault('sequence', async () => {
      const name = CHAINS[query.chain];
      const signed = await openSignedTree(services, name);
      if (query.sequence > signed.tree.size) return unknown('entry');
      for await (const one of proveStored(services.exports, signed, [BigInt(query.sequence)])) {
        return new Response(writeInclusionProof(name, signed.checkpoint.note, [one]), {
          headers: {
            'content-type': 'application/json',
            'content-disposition': `attachment; filename="proof-${query.chain}-${query.sequence}.json"`,
            'cache-control': 'no-store',
          },
        });
      }
      return unknown('entry');
    }),
});

const treeCheckpoint = route({
  method: 'GET',
  path: '/api/audit/tree-checkpoint',
  right: { permission: 'journal:verifier-l-integrite' },
  summary: 'Returns size and root of the tree over a log, as a signed note (C2SP tlog-checkpoint).',
  answers: '200 `{checkpoint}`',
  query: z.strictObject({ chain }),
  handle: ({ query, services }) =>
    unlessTreeFault('chain', async () => {
      const { checkpoint } = await openSignedTree(services, CHAINS[query.chain]);
      return okResponse({ checkpoint: checkpoint.note });
    }),
});

const continuation = route({
  method: 'POST',
  path: '/api/audit/continuation',
  right: { permission: 'journal:verifier-l-integrite' },
  summary:
    'Says whether a log only grew since a checkpoint in note form. It reads some tiles of the tree, not the log.',
  answers: '200 `{continues, origin, oldSize, size}`',
  body: z.strictObject({ checkpoint: z.string().max(20_000) }),
  handle: ({ body, services }) =>
    unlessTreeFault('checkpoint', async () => {
      const sql = services.exports;
      const name = await readOriginName(sql, services.logOrigin);
      try {
        const old = openTreeCheckpoint(`${body.checkpoint.trim()}\n`, await readNoteKeys(sql, name));
        const known = Object.values(CHAINS).find((one) => one === partsOfOrigin(old.origin).chain);
        if (known === undefined) return faulty({ checkpoint: `is one of an unknown log: ${old.origin}` });
        const { tree } = await openSignedTree(services, known);
        const path = await proveContinuation(tree, old, tree);
        return okResponse({ continues: path !== null, origin: old.origin, oldSize: old.size, size: tree.size });
      } catch (error) {
        if (error instanceof NoteFault) return faulty({ checkpoint: `is refused: ${error.message}` });
        throw error;
      }
    }),
});

export const proofRoutes: readonly Route[] = [proof, treeCheckpoint, continuation];
