export { type ArchiveManifest, makeArchiveManifest, readArchiveManifest } from './archive-manifest.ts';
export { canonicalJson, type JsonObject, type JsonValue, NotCanonical } from './canonical.ts';
export { GENESIS, type Linked, link } from './chain.ts';
export { type Checkpoint, CheckpointFault, makeCheckpoint, readCheckpoint } from './checkpoint.ts';
export { type ExportedEntry, ExportFault, readExportedEntry, writeExportedEntry } from './exported-entry.ts';
export {
  type Consistency,
  consistencyPath,
  EMPTY_ROOT,
  HASH_BYTES,
  type Inclusion,
  inclusionPath,
  isConsistent,
  isIncluded,
  isSameHash,
  leafHash,
  type ReadHashes,
  readFrontier,
  rootAfter,
  type Subtree,
  treeRoot,
} from './merkle-tree.ts';
export {
  COSIGNATURE,
  cosign,
  isKeyName,
  NoteFault,
  type NoteKey,
  readNoteKey,
  readPrivateNoteKey,
  readSignatureLine,
  toNoteKey,
  verifyNote,
  writeNoteKey,
  writeSignatureLine,
} from './note.ts';
export {
  type CheckedPeriod,
  type CheckedProof,
  checkPeriodFile,
  checkProofFile,
  type EntryProof,
  type PeriodProof,
  ProofFault,
  toBase64,
  writeConsistencyProof,
  writeInclusionProof,
  writePeriodProof,
} from './proof-file.ts';
export { type Seal, type SealedPosition, seal, verifySeal } from './seal.ts';
export {
  createSigner,
  generateSigningKey,
  readVerificationKey,
  readVerificationKeys,
  type Signer,
  SigningKeyFault,
  type VerificationKey,
} from './signing-key.ts';
export {
  edgeOf,
  type ReadTiles,
  readFromTiles,
  rootOfTile,
  TILE_WIDTH,
  type TileAddition,
  type TilePosition,
  TreeBuilder,
  TreeFault,
  widthOf,
} from './tiles.ts';
export {
  makeTreeCheckpoint,
  openTreeCheckpoint,
  partsOfOrigin,
  readTreeCheckpoint,
  type TreeCheckpoint,
  type TreeHead,
  writeTreeHead,
} from './tree-checkpoint.ts';
export {
  type ChainedEntry,
  type ChainFault,
  UNTRUSTED,
  type VerificationResult,
  type VerifyOptions,
  verifyChain,
} from './verify.ts';
export {
  type AddCheckpoint,
  judgeCheckpoint,
  readAddCheckpoint,
  type WitnessRefusal,
  writeAddCheckpoint,
} from './witness.ts';
