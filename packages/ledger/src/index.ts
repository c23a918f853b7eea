export { type ArchiveManifest, makeArchiveManifest, readArchiveManifest } from './archive-manifest.ts';
export { canonicalJson, type JsonObject, type JsonValue, NotCanonical } from './canonical.ts';
export { GENESIS, type Linked, link } from './chain.ts';
export { type Checkpoint, CheckpointFault, makeCheckpoint, readCheckpoint } from './checkpoint.ts';
export { type ExportedEntry, ExportFault, readExportedEntry, writeExportedEntry } from './exported-entry.ts';
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
  type ChainedEntry,
  type ChainFault,
  type VerificationResult,
  type VerifyOptions,
  verifyChain,
} from './verify.ts';
