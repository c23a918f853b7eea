export type { AdministrationAction } from './action-entry.ts';
export { appendAdministrationAction, appendAdministrationActions } from './append-action.ts';
export {
  type CheckpointSigner,
  type EntrySelection,
  proveContinuation,
  proveEntry,
  provePeriod,
  proveStored,
  readNoteKeys,
  readOriginName,
  type SignedTree,
  selectEntries,
  signTree,
} from './log-proofs.ts';
export {
  extendTree,
  type LogTree,
  openTree,
  readLogInstance,
  readStoredTiles,
  readTreeSize,
} from './log-tree.ts';
export { ACTIONS, type ChainName, DECISIONS } from './names.ts';
export {
  ARCHIVE_ACTION,
  type ArchiveAnchor,
  type ChainEnd,
  readArchiveAnchor,
  readChain,
  readChainEnd,
} from './read-chain.ts';
export {
  announceSigningKey,
  listSigningKeys,
  readEndorsedKeys,
  readSigningKeys,
  registerSigningKey,
  type SigningKeyEntry,
} from './signing-keys.ts';
export { type Archived, rebuildTree, verifyLog, verifyTree } from './verify-tree.ts';
