import {
  createHash,
  createPrivateKey,
  createPublicKey,
  generateKeyPairSync,
  hash,
  type KeyObject,
  sign,
  verify,
} from 'node:crypto';

/*
 * Signed notes (C2SP signed-note): a text, an empty line, and one line for each signature. Keys have a name, which the lines repeat.
 */

/** Type of a key that signs the text itself, and of one that cosigns it with a time. */
export const ED25519 = 1;
export const COSIGNATURE = 4;
export type NoteKeyType = typeof ED25519 | typeof COSIGNATURE;

/** A note, or a key in note form, that cannot be used; the message has the cause. */
export class NoteFault extends Error {
  override readonly name = 'NoteFault';
}

/** A public key with its name. */
export interface NoteKey {
  readonly name: string;
  /** What lines of this key begin with: eight hexadecimal digits. */
  readonly hash: string;
  readonly type: NoteKeyType;
  readonly key: KeyObject;
}

/** One line below a note. */
export interface NoteSignature {
  readonly name: string;
  readonly hash: string;
  readonly signature: Buffer;
}

export interface Note {
  /** What is signed; it ends in a line feed. */
  readonly text: string;
  readonly signatures: readonly NoteSignature[];
}

const SPKI = Buffer.from('302a300506032b6570032100', 'hex');
const PKCS8 = Buffer.from('302e020100300506032b657004220420', 'hex');
const KEY_BYTES = 32;
/** As many lines as Go's implementation reads. */
const MAX_SIGNATURES = 100;
const DASH = '\u2014';

/** Line feeds are the only control characters of a note. */
const CONTROL = /[^\P{Cc}\n]/u;

/** Neither white space nor a plus: the name of a key, and a checkpoint's origin. */
const NAME = /^[^\s+\p{Cc}]{1,255}$/u;

export function isKeyName(text: string): boolean {
  return NAME.test(text) && text.isWellFormed();
}

/** The bytes of exact base64: no other text stands for the same bytes. Null for any other text. */
export function exactBase64(text: string): Buffer | null {
  const bytes = Buffer.from(text, 'base64');
  return bytes.toString('base64') === text ? bytes : null;
}

function bytesOf(key: KeyObject): Buffer {
  return key.export({ type: 'spki', format: 'der' }).subarray(-KEY_BYTES);
}

function keyHash(name: string, type: NoteKeyType, bytes: Uint8Array): string {
  return hash('sha256', Buffer.concat([Buffer.from(`${name}\n`), Buffer.of(type), bytes])).slice(0, 8);
}

/** @param key an Ed25519 key, or its PEM. */
export function toNoteKey(name: string, key: KeyObject | string, type: NoteKeyType = ED25519): NoteKey {
  const object = typeof key === 'string' ? createPublicKey(key) : key;
  return { name, hash: keyHash(name, type, bytesOf(object)), type, key: object };
}

/** `<name>+<hash>+<base64(type ‖ public key)>` */
export function writeNoteKey({ name, hash: id, type, key }: NoteKey): string {
  return `${name}+${id}+${Buffer.concat([Buffer.of(type), bytesOf(key)]).toString('base64')}`;
}

/** @throws NoteFault where the text is no key in note form. */
export function readNoteKey(text: string): NoteKey {
  const [name = '', id, encoded = '', ...more] = splitKey(text);
  const data = exactBase64(encoded);
  if (!isKeyName(name) || data?.length !== 1 + KEY_BYTES || more.length > 0) {
    throw new NoteFault('is no key in note form: <name>+<hash>+<base64>, as journal keys --note prints it');
  }
  const [type] = data;
  if (type !== ED25519 && type !== COSIGNATURE) throw new NoteFault(`is a key of the unknown type ${type}`);
  const bytes = data.subarray(1);
  if (keyHash(name, type, bytes) !== id) throw new NoteFault('is not intact: its hash does not match its name and key');
  return {
    name,
    hash: id,
    type,
    key: createPublicKey({ key: Buffer.concat([SPKI, bytes]), format: 'der', type: 'spki' }),
  };
}

/** Base64 contains plus signs, too. */
function splitKey(text: string): string[] {
  const [name = '', id = '', ...encoded] = text.split('+');
  return [name, id, encoded.join('+')];
}

/**
 * A private key in note form: `PRIVATE+KEY+<name>+<hash>+<base64(type ‖ seed)>`.
 * @throws NoteFault
 */
export function readPrivateNoteKey(text: string): { readonly name: string; readonly signer: Signer } {
  const [name = '', id, encoded] = splitKey(text.replace(/^PRIVATE\+KEY\+/, ''));
  const data = exactBase64(encoded ?? '');
  const [type] = data ?? [];
  if (!isKeyName(name) || data?.length !== 1 + KEY_BYTES || (type !== ED25519 && type !== COSIGNATURE)) {
    throw new NoteFault('is no private key in note form: PRIVATE+KEY+<name>+<hash>+<base64>');
  }
  const key = createPrivateKey({ key: Buffer.concat([PKCS8, data.subarray(1)]), format: 'der', type: 'pkcs8' });
  if (keyHash(name, type, bytesOf(createPublicKey(key))) !== id) {
    throw new NoteFault('is not intact: its hash does not match its name and key');
  }
  return { name, signer: createSigner(key.export({ type: 'pkcs8', format: 'pem' }).toString()) };
}

export function writeSignatureLine({ name, hash: id, signature }: NoteSignature): string {
  return `${DASH} ${name} ${Buffer.concat([Buffer.from(id, 'hex'), signature]).toString('base64')}\n`;
}

/** @throws NoteFault where the line, without its line feed, is no signature. */
export function readSignatureLine(line: string): NoteSignature {
  const [dash, name = '', encoded = '', ...more] = line.split(' ');
  const data = exactBase64(encoded);
  if (dash !== DASH || !isKeyName(name) || data === null || data.length < 5 || more.length > 0) {
    throw new NoteFault('The note has a line that is no signature.');
  }
  return { name, hash: data.toString('hex', 0, 4), signature: data.subarray(4) };
}

/** @param text ends in a line feed. */
export function signNote(text: string, name: string, signer: Signer): string {
  const { hash: id } = toNoteKey(name, signer.publicKey);
  return `${text}\n${writeSignatureLine({ name, hash: id, signature: signer.sign(Buffer.from(text)) })}`;
}

/** @throws NoteFault where the text is no signed note. */
export function readNote(note: string): Note {
  const end = note.lastIndexOf('\n\n');
  if (end === -1 || !note.endsWith('\n') || !note.isWellFormed() || CONTROL.test(note)) {
    throw new NoteFault('This is no signed note: a text, an empty line, and lines with signatures.');
  }
  const lines = note
    .slice(end + 2)
    .split('\n')
    .slice(0, -1);
  if (lines.length === 0) throw new NoteFault('The note has no signature.');
  if (lines.length > MAX_SIGNATURES) throw new NoteFault(`The note has more than ${MAX_SIGNATURES} signatures.`);
  return { text: note.slice(0, end + 1), signatures: lines.map(readSignatureLine) };
}

/** The message that a cosignature signs (C2SP tlog-cosignature). */
function cosigned(text: string, seconds: bigint): Buffer {
  return Buffer.from(`cosignature/v1\ntime ${seconds}\n${text}`);
}

function isValid(text: string, signature: Buffer, { type, key }: NoteKey): boolean {
  if (type === ED25519) return verify(null, Buffer.from(text), key, signature);
  if (signature.length !== 8 + 64) return false;
  return verify(null, cosigned(text, signature.readBigUInt64BE(0)), key, signature.subarray(8));
}

/** A witness's line over the text of a checkpoint. @param seconds since 1970. */
export function cosign(text: string, name: string, signer: Signer, seconds: number): string {
  const time = Buffer.alloc(8);
  time.writeBigUInt64BE(BigInt(seconds));
  const signature = Buffer.concat([time, signer.sign(cosigned(text, BigInt(seconds)))]);
  return writeSignatureLine({ name, hash: toNoteKey(name, signer.publicKey, COSIGNATURE).hash, signature });
}

/**
 * The signatures that known keys made. Lines of unknown keys are ignored, as the format asks.
 * @throws NoteFault where a known key's signature is not valid, or no line is of a known key.
 */
export function verifyNote({ text, signatures }: Note, keys: readonly NoteKey[]): readonly NoteSignature[] {
  const verified = signatures.filter((line) => {
    const key = keys.find(({ name, hash: id }) => name === line.name && id === line.hash);
    if (key === undefined) return false;
    if (isValid(text, line.signature, key)) return true;
    throw new NoteFault(`The signature of ${line.name} is not valid: the text of the note was changed.`);
  });
  if (verified.length > 0) return verified;
  const names = signatures.map(({ name, hash: id }) => `${name}+${id}`).join(', ');
  throw new NoteFault(`The note has no signature of a known key: it is signed by ${names}.`);
}

/** A key that a person must fix. */
export class SigningKeyFault extends Error {
  override readonly name = 'SigningKeyFault';
}

/** Signs with one Ed25519 key. The private part is not reachable from here. */
export interface Signer {
  /** SHA-256 of the public key's SPKI form, hexadecimal. */
  readonly keyId: string;
  /** PEM. */
  readonly publicKey: string;
  sign(message: Uint8Array): Buffer;
}

/** A key to verify with. */
export interface VerificationKey {
  readonly id: string;
  readonly key: KeyObject;
}

function idOf(key: KeyObject): string {
  return createHash('sha256')
    .update(key.export({ type: 'spki', format: 'der' }))
    .digest('hex');
}

function pem(key: KeyObject): string {
  return key.export({ type: 'spki', format: 'pem' }).toString();
}

/** A new private key, PEM (PKCS 8). */
export function generateSigningKey(): string {
  return generateKeyPairSync('ed25519').privateKey.export({ type: 'pkcs8', format: 'pem' }).toString();
}

/** @throws SigningKeyFault where the text is no Ed25519 private key in PEM. */
export function createSigner(privateKeyPem: string): Signer {
  let privateKey: KeyObject;
  try {
    privateKey = createPrivateKey(privateKeyPem);
  } catch {
    throw new SigningKeyFault('is not a readable private key: expected Ed25519, PEM, PKCS 8, without a passphrase');
  }
  if (privateKey.asymmetricKeyType !== 'ed25519') {
    throw new SigningKeyFault(`is a key of type ${privateKey.asymmetricKeyType}: expected Ed25519`);
  }
  const publicKey = createPublicKey(privateKey);
  return { keyId: idOf(publicKey), publicKey: pem(publicKey), sign: (message) => sign(null, message, privateKey) };
}

/** @throws SigningKeyFault where the text is no Ed25519 public key in PEM. */
export function readVerificationKey(publicKeyPem: string): VerificationKey {
  try {
    if (publicKeyPem.includes('PRIVATE KEY')) throw new Error('private');
    const key = createPublicKey(publicKeyPem);
    if (key.asymmetricKeyType !== 'ed25519') throw new Error('type');
    return { id: idOf(key), key };
  } catch {
    throw new SigningKeyFault('is not a readable public key: expected Ed25519, PEM');
  }
}

/** Every public key of a PEM text, which may contain several. */
export function readVerificationKeys(text: string): readonly VerificationKey[] {
  const blocks = text.match(/-----BEGIN [^-]+-----[^-]+-----END [^-]+-----/g) ?? [text];
  return blocks.map(readVerificationKey);
}
