import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import {
  consistencyPath,
  inclusionPath,
  type ReadHashes,
  type Subtree,
  TreeBuilder,
  toBase64,
  treeRoot,
} from '@gateway/ledger';

/** Builds the verifier, a Go program. Debian: golang-go and golang-golang-x-mod-dev. */
export function buildReference() {
  const folder = mkdtempSync(join(tmpdir(), 'proofs-reference-'));
  const program = join(folder, 'reference');
  const source = fileURLToPath(new URL('reference.go', import.meta.url));
  const built = spawnSync('go', ['build', '-o', program, source], {
    env: { ...process.env, GO111MODULE: 'off', GOPATH: '/usr/share/gocode' },
    encoding: 'utf8',
  });
  if (built.status !== 0) throw new Error(`go build failed: ${built.error?.message ?? built.stderr}`);
  return {
    /** What the reference implementation says of each case. */
    check(cases: readonly object[]): readonly string[] {
      const input = cases.map((one) => `${JSON.stringify(one)}\n`).join('');
      const ran = spawnSync(program, { input, encoding: 'utf8', maxBuffer: 2 ** 28 });
      if (ran.status !== 0) throw new Error(ran.stderr);
      return ran.stdout.trimEnd().split('\n');
    },
    remove: () => rmSync(folder, { recursive: true }),
  };
}

export const digestAt = (index: number): string => createHash('sha256').update(`entry ${index}`).digest('hex');

/** The hashes of all complete subtrees of a tree, computed by our builder: level by level. */
export function treeInMemory(size: number): ReadHashes {
  const levels: Buffer[][] = [];
  const builder = new TreeBuilder();
  for (let index = 0; index < size; index += 1) builder.append(digestAt(index));
  const leaves = builder.takeAdditions().filter(({ level }) => level === 0);
  levels.push(
    leaves.flatMap(({ hashes }) =>
      Array.from({ length: hashes.length / 32 }, (_, at) => hashes.subarray(at * 32, at * 32 + 32)),
    ),
  );
  while ((levels.at(-1)?.length ?? 0) > 1) {
    const below = levels.at(-1) as Buffer[];
    levels.push(
      Array.from({ length: below.length >> 1 }, (_, at) =>
        createHash('sha256')
          .update(Buffer.of(1))
          .update(below[at * 2] as Buffer)
          .update(below[at * 2 + 1] as Buffer)
          .digest(),
      ),
    );
  }
  return async (subtrees: readonly Subtree[]) => subtrees.map(({ level, index }) => levels[level]?.[index] as Buffer);
}

/** Roots of each size, computed once. */
function rootsOf(read: ReadHashes): (size: number) => Promise<string> {
  const known = new Map<number, Promise<string>>();
  return (size) => {
    const found = known.get(size) ?? treeRoot(size, read).then(toBase64);
    known.set(size, found);
    return found;
  };
}

/** One inclusion and one consistency proof of a tree of this size. */
export function createCases(read: ReadHashes) {
  const rootOf = rootsOf(read);
  return async (size: number, index: number, old: number): Promise<readonly object[]> => [
    {
      kind: 'inclusion',
      size,
      index,
      root: await rootOf(size),
      leaf: Buffer.from(digestAt(index), 'hex').toString('base64'),
      path: (await inclusionPath(index, size, read)).map(toBase64),
    },
    {
      kind: 'consistency',
      size,
      old,
      root: await rootOf(size),
      base: await rootOf(old),
      path: (await consistencyPath(old, size, read)).map(toBase64),
    },
  ];
}
