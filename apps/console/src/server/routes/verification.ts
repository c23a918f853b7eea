import {
  ACTIONS,
  type ChainName,
  DECISIONS,
  listSigningKeys,
  proveContinuation,
  proveStored,
  readArchiveAnchor,
  readChainEnd,
  readEndorsedKeys,
  readNoteKeys,
  readOriginName,
  readTreeSize,
  registerSigningKey,
  type SignedTree,
  type Sql,
  signTree,
  verifyLog,
} from '@gateway/database';
import { keepVerification } from '@gateway/database/audit-log/lists';
import {
  type ChainedEntry,
  CheckpointFault,
  makeCheckpoint,
  NoteFault,
  openTreeCheckpoint,
  partsOfOrigin,
  readCheckpoint,
  readVerificationKeys,
  SigningKeyFault,
  TreeFault,
  type VerificationKey,
  type VerificationResult,
  writeInclusionProof,
} from '@gateway/ledger';
import * as z from 'zod';
import { faulty, okResponse, unknown } from '../http/answers.ts';
import { type Right, type Route, route } from '../http/route.ts';
import type { Services } from '../http/services.ts';

const right: Right = { permission: 'journal:verifier-l-integrite' };
const CHAINS = { decisions: DECISIONS, 'administration-actions': ACTIONS } as const;
const chain = z.enum(Object.keys(CHAINS) as (keyof typeof CHAINS)[]).default('decisions');

/** The position that a checkpoint records for one chain; undefined where it records none. */
type Known = { readonly sequence: bigint; readonly digest: string } | undefined;

/** Fingerprints of the keys that the reader pasted; null for none. */
type Given = ReadonlySet<string> | null;

/** Progress of a chain's verification, and its result. Sequences and counts are numbers: no log reaches 2^53 entries. */
function resultLine(result: VerificationResult, keys: readonly object[]): object {
  return result.ok
    ? { result: 'whole', entries: Number(result.entries), keys }
    : { result: 'broken', fault: result.fault, sequence: Number(result.sequence), sentence: result.sentence, keys };
}

/** The keys that signed entries of the log. */
async function signersOf(sql: Sql, name: ChainName): Promise<readonly object[]> {
  const all = await listSigningKeys(sql);
  return all.flatMap(({ fingerprint, component, endorsed, endorsedBy, signed }) =>
    signed
      .filter(({ chain: of }) => of === name)
      .map(({ first, last }) => ({ fingerprint, component, endorsed, endorsedBy, first, last })),
  );
}

/** The endorsed keys, and of these only the given ones where some are given. */
async function trustedKeys(
  sql: Sql,
  name: ChainName | null,
  given: Given,
): Promise<ReadonlyMap<string, VerificationKey>> {
  const endorsed = await readEndorsedKeys(sql, name);
  return given === null ? endorsed : new Map([...endorsed].filter(([id]) => given.has(id)));
}

/** The entries until the reader of the answer has left. */
async function* until(left: () => boolean, entries: AsyncIterable<ChainedEntry>): AsyncGenerator<ChainedEntry> {
  for await (const entry of entries) {
    if (left()) return;
    yield entry;
  }
}

/** Progress about every thousand entries, then the decision, each as one line of JSON. */
async function* verification(
  sql: Sql,
  name: ChainName,
  checkpoint: Known,
  given: Given,
  keep: (result: VerificationResult) => Promise<void>,
): AsyncGenerator<Uint8Array> {
  const line = (value: object) => new TextEncoder().encode(`${JSON.stringify(value)}\n`);
  const end = await readChainEnd(sql, name);
  const keys = await trustedKeys(sql, name, given); // Every key that sealed an entry up to the end is registered by now.
  const total = Number(end.lastEntry);
  let verified = 0;
  let gone = false;
  let progressed = Promise.withResolvers<null>();
  const onProgress = (entries: bigint) => {
    verified = Number(entries);
    progressed.resolve(null);
  };
  const options = {
    keys,
    onProgress,
    through: (entries: AsyncIterable<ChainedEntry>) => until(() => gone, entries),
  };
  const work: Promise<VerificationResult | Error> = verifyLog(
    sql,
    name,
    end,
    checkpoint === undefined ? options : { ...options, checkpoint },
  ).catch((error: unknown) => (error instanceof Error ? error : new Error(String(error))));
  try {
    for (;;) {
      yield line({ verified, total });
      const fell = await Promise.race([work, progressed.promise]);
      if (fell instanceof Error) throw fell;
      if (fell !== null) {
        await keep(fell);
        return yield line(resultLine(fell, await signersOf(sql, name)));
      }
      progressed = Promise.withResolvers();
    }
  } finally {
    gone = true;
  }
}

const verify = route({
  method: 'POST',
  path: '/api/audit/verification',
  right,
  summary:
    'Verifies a chain: gaps, links, digests, signatures by endorsed keys, and a checkpoint if one is given. `publicKeys` (PEM) restricts the accepted keys further. Sends progress while it reads, then the result with the exact entry where the chain breaks.',
  answers:
    '200 JSON Lines: `{verified, total}` …, then `{result: "whole", entries, keys}` or `{result: "broken", fault, sequence, sentence, keys}`; of each key fingerprint, component, endorsement, first and last entry',
  body: z.strictObject({
    chain,
    checkpoint: z.string().max(10_000).optional(),
    publicKeys: z.string().max(100_000).optional(),
  }),
  async handle({ body, services }) {
    const name = CHAINS[body.chain];
    let known: Known;
    let given: Given = null;
    try {
      if (body.publicKeys !== undefined) given = new Set(readVerificationKeys(body.publicKeys).map(({ id }) => id));
    } catch (error) {
      if (error instanceof SigningKeyFault) return faulty({ publicKeys: `${error.message}.` });
      throw error;
    }
    if (body.checkpoint !== undefined) {
      try {
        const note = readCheckpoint(body.checkpoint, await trustedKeys(services.database, null, given));
        known = note.positions.find((position) => position.chain === name);
        const anchor = name === DECISIONS ? await readArchiveAnchor(services.database) : null;
        if (known && anchor && known.sequence < anchor.sequence) {
          return faulty({
            checkpoint: `is at entry ${known.sequence}, which was archived. Use a later one, or: gatewayctl journal verify --archive`,
          });
        }
      } catch (error) {
        if (error instanceof CheckpointFault) return faulty({ checkpoint: `is refused: ${error.message}` });
        throw error;
      }
    }
    // The result is sent even if it cannot be stored for the overview.
    const keep = (result: VerificationResult) =>
      keepVerification(services.database, {
        chain: body.chain,
        entries: result.ok ? Number(result.entries) : null,
        brokenAt: result.ok ? null : Number(result.sequence),
      }).catch(() => undefined);
    return new Response(ReadableStream.from(verification(services.exports, name, known, given, keep)), {
      headers: { 'content-type': 'application/x-ndjson', 'cache-control': 'no-store' },
    });
  },
});

const checkpoint = route({
  method: 'GET',
  path: '/api/audit/checkpoint',
  right,
  summary:
    'Returns a signed note with the end of both chains. Kept elsewhere, it detects a truncated, restored or forked log.',
  answers: '200 `{checkpoint}`',
  async handle({ services }) {
    // The reader of a note finds the key that signed it, even if this console has sealed nothing yet.
    await registerSigningKey(services.database, services.signer, 'console');
    const ends = await Promise.all(
      Object.values(CHAINS).map(async (name) => ({ name, end: await readChainEnd(services.database, name) })),
    );
    const places = ends.flatMap(({ name, end }) =>
      end.digest === null ? [] : [{ chain: name, sequence: end.lastEntry, digest: end.digest }],
    );
    return okResponse({ checkpoint: makeCheckpoint(services.signer, new Date().toISOString(), places) });
  },
});

const keys = route({
  method: 'GET',
  path: '/api/audit/signing-keys',
  right,
  summary: 'Lists the endorsed public keys, to verify an export of `gatewayctl` without this console.',
  answers: '200 `{signingKeys}`',
  async handle({ services }) {
    const known = await readEndorsedKeys(services.database, null);
    const signingKeys = [...known.values()].map(({ id, key }) => ({
      id,
      publicKey: key.export({ type: 'spki', format: 'pem' }).toString(),
    }));
    return okResponse({ signingKeys });
  },
});

export const verificationRoutes: readonly Route[] = [verify, checkpoint, keys];

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
