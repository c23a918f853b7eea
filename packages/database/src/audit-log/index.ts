export { appendAdministrationAction, appendAdministrationActions } from './append-action.ts';
export type { AdministrationAction } from './entries.ts';
export {
  type CheckpointSigner,
  type EntrySelection,
  extendTree,
  type LogTree,
  openTree,
  proveContinuation,
  proveEntry,
  provePeriod,
  proveStored,
  readLogInstance,
  readNoteKeys,
  readOriginName,
  readStoredTiles,
  readTreeSize,
  type SignedTree,
  selectEntries,
  signTree,
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
