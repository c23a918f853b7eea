// Verifies an exported log without code of ours: chain, contents and signatures, from the description in the manual
// ("Decision log", "Checking without our program"). Usage: node verify-log.mjs EXPORT KEYS
//   npx gatewayctl journal export --output decisions.jsonl
//   npx gatewayctl journal keys > keys.pem
// Get the keys from a person that you trust, not from the one who gives you the export.
import { createHash, createPublicKey, verify } from 'node:crypto';
import { createReadStream, readFileSync } from 'node:fs';
import process from 'node:process';
import { createInterface } from 'node:readline';

const [exported, pem] = process.argv.slice(2);
if (!exported || !pem) {
  console.error('Usage: node verify-log.mjs EXPORT KEYS');
  process.exit(2);
}

const sha256 = (...parts) => parts.reduce((hash, part) => hash.update(part), createHash('sha256'));

/** RFC 8785 for what entries hold: texts, integers, null, lists and objects. */
function canonical(value) {
  if (value === null || typeof value !== 'object') return JSON.stringify(value);
  if (Array.isArray(value)) return `[${value.map(canonical).join(',')}]`;
  const members = Object.keys(value).toSorted();
  return `{${members.map((name) => `${JSON.stringify(name)}:${canonical(value[name])}`).join(',')}}`;
}

const keys = new Map(
  readFileSync(pem, 'utf8')
    .match(/-----BEGIN PUBLIC KEY-----[\s\S]*?-----END PUBLIC KEY-----/g)
    ?.map((text) => {
      const key = createPublicKey(text);
      return [sha256(key.export({ type: 'spki', format: 'der' })).digest('hex'), key];
    }),
);

function fail(at, what) {
  console.error(`Entry ${at}: ${what}`);
  process.exit(1);
}

let previous = '0'.repeat(64);
let sequence = 0;
let sealed = 0;
for await (const line of createInterface({ input: createReadStream(exported), crlfDelay: 0 })) {
  if (line === '') continue;
  const { chain, previous: before, digest, seal, ...entry } = JSON.parse(line);
  sequence += 1;
  if (entry.sequence !== sequence)
    fail(sequence, `its sequence is ${entry.sequence}: an entry is missing or was inserted`);
  if (before !== previous) fail(sequence, 'it does not continue the entry before it');
  const actual = sha256(Buffer.from(previous, 'hex'), canonical(entry)).digest('hex');
  if (actual !== digest) fail(sequence, 'it was changed');
  if (seal !== null) {
    const key = keys.get(seal.keyId) ?? fail(sequence, `${pem} does not have its key ${seal.keyId}`);
    const text = `gateway seal 1\n${chain}\n${sequence}\n${digest}\n`;
    if (!verify(null, Buffer.from(text), key, Buffer.from(seal.signature, 'hex')))
      fail(sequence, 'its signature is wrong');
    sealed = sequence;
  }
  previous = digest;
}
if (sequence === 0) fail(0, 'the export is empty');
if (sealed !== sequence) fail(sequence, 'the last entry has no signature');
console.log(`${sequence} entries are unchanged, in order and signed. The last digest is ${previous}.`);
