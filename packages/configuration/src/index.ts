export { CERTIFICATE_CHECK, certificatesOf, pairFault, refuseUnverified } from './certificates.ts';
export { type DatabaseReader, databaseReader } from './database.ts';
export { absentFolderFault, makeFolder } from './folder.ts';
export { addressOf, listeningFault, rememberPeer } from './listening.ts';
export { misspelt } from './misspelt.ts';
export { PROXY_FORM, readProxy } from './proxy.ts';
export { codeOf, type Environment, Reading, shown } from './reading.ts';
export { type OpenedSigningKey, openSigningKey, readOrMakeSigner, signingKeyFault } from './signing-key.ts';
export type { Variable, VariableProfile } from './variable.ts';
