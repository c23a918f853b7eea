export type { AdministrationAction } from './action-entry.ts';
export { appendAdministrationAction, registerSigningKey } from './append-action.ts';
export { ARCHIVE_ACTION, type ArchiveAnchor, readArchiveAnchor } from './archive-anchor.ts';
export { ACTIONS, type ChainName, DECISIONS } from './names.ts';
export { type ChainEnd, readChain, readChainEnd, readSigningKeys } from './read-chain.ts';
export { verifyLog } from './verify-log.ts';
