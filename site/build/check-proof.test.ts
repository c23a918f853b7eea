import { readFileSync } from 'node:fs';
import { runInThisContext } from 'node:vm';
import {
  checkProofFile,
  consistencyPath,
  createSigner,
  generateSigningKey,
  inclusionPath,
  type JsonObject,
  link,
  makeTreeCheckpoint,
  readFromTiles,
  readNoteKey,
  TreeBuilder,
  toBase64,
  toNoteKey,
  treeRoot,
  writeConsistencyProof,
  writeInclusionProof,
  writeNoteKey,
} from '@gateway/ledger';
import { describe, expect, it } from 'vitest';

/** The script of the page, as a browser would run it. */
const page = readFileSync(new URL('../pages/public/check-proof.html', import.meta.url), 'utf8');
const script = /<script>([\s\S]*)<\/script>/.exec(page)?.[1] ?? '';
const checkInPage = runInThisContext(`${script}; checkProof;`) as (text: string, keys: string) => Promise<string[]>;

const LOG = 'authorization_decisions';
const NAME = 'logs.example.com/one';
const signer = createSigner(generateSigningKey());
const key = writeNoteKey(toNoteKey(NAME, signer.publicKey));

/** A log of this many entries. */
function logOf(count: number) {
  const entries: JsonObject[] = [];
  const builder = new TreeBuilder();
  let previous = '00'.repeat(32);
  for (let sequence = 1; sequence <= count; sequence += 1) {
    const content = { sequence, subject: `zoë ${sequence} 😀`, roles: ['a', 'b'], session: null, status: 200 };
    const { digest } = link(previous, content);
    entries.push({ chain: LOG, ...content, previous, digest });
    builder.append(digest);
    previous = digest;
  }
  const tiles = new Map(builder.takeAdditions().map((one) => [`${one.level}/${one.tile}`, one.hashes]));
  const read = readFromTiles(async (wanted) =>
    wanted.map(({ level, tile }) => tiles.get(`${level}/${tile}`) ?? Buffer.alloc(0)),
  );
  const note = async (size: number) =>
    makeTreeCheckpoint(signer, { origin: `${NAME}/${LOG}`, size, root: await treeRoot(size, read) }).note;
  return {
    async inclusion(index: number, size: number) {
      const path = (await inclusionPath(index, size, read)).map(toBase64);
      return writeInclusionProof(LOG, await note(size), [{ index, entry: entries[index] as JsonObject, path }]);
    },
    consistency: async (old: number, size: number) =>
      writeConsistencyProof(await note(old), await note(size), await consistencyPath(old, size, read)),
  };
}
const log = logOf(300);

/** What the page and our program say: whether the proof holds. */
async function judged(text: string, keys = key): Promise<readonly [inPage: boolean, inProgram: boolean]> {
  const inPage = await checkInPage(text, keys).then(
    () => true,
    () => false,
  );
  try {
    checkProofFile(text, keys.split('\n').map(readNoteKey));
    return [inPage, true];
  } catch {
    return [inPage, false];
  }
}

describe('the page that checks proofs', () => {
  it('accepts what gatewayctl writes, and shows the entry', async () => {
    for (const [index, size] of [
      [0, 1],
      [0, 2],
      [4, 5],
      [255, 256],
      [256, 257],
      [99, 300],
    ] as const) {
      expect(await judged(await log.inclusion(index, size))).toEqual([true, true]);
    }
    for (const [old, size] of [
      [0, 5],
      [5, 5],
      [1, 300],
      [256, 300],
      [255, 257],
    ] as const) {
      expect(await judged(await log.consistency(old, size))).toEqual([true, true]);
    }
    const lines = await checkInPage(await log.inclusion(99, 300), key);
    expect(lines.join('\n')).toContain('"subject": "zoë 100 😀"');
  });

  it('finds a change at every position of a file, as gatewayctl does', async () => {
    for (const text of [await log.inclusion(99, 300), await log.consistency(100, 300)]) {
      for (let at = 0; at < text.trimEnd().length; at += 1) {
        const other = text[at] === 'A' ? 'B' : 'A';
        const changed = text.slice(0, at) + other + text.slice(at + 1);
        expect([at, text.slice(at - 10, at + 10), ...(await judged(changed))]).toEqual([
          at,
          text.slice(at - 10, at + 10),
          false,
          false,
        ]);
      }
    }
  });

  it('trusts the keys that it is given alone', async () => {
    const text = await log.inclusion(1, 3);
    const other = writeNoteKey(toNoteKey(NAME, createSigner(generateSigningKey()).publicKey));
    expect(await judged(text, other)).toEqual([false, false]);
    expect(await judged(text, `${other}\n${key}`)).toEqual([true, true]);
    await expect(checkInPage(text, '')).rejects.toThrow('Enter a key');
    await expect(checkInPage(text, key.replace(/.$/, '!'))).rejects.toThrow('no key in note form');
  });

  it('refuses a member that is given twice', async () => {
    const text = await log.inclusion(1, 3);
    expect(await judged(text.replace('"status":200', '"status":403,"status":200'))).toEqual([false, false]);
  });
});
