export { acrossBuilds, type Builds } from './builds.ts';
export { CERTIFICATE_CHECK, certificatesOf, pairFault, readAuthority, refuseUnverified } from './certificates.ts';
export { type DatabaseReader, databaseReader } from './database.ts';
export { absentFolderFault, makeFolder } from './folder.ts';
export { addressOf, listeningFault, listeningReader, rememberPeer } from './listening.ts';
export {
  checkLogFormat,
  type Level,
  LOG_FORMAT,
  type LogEntry,
  type LogFormat,
  logFormatOf,
  logLine,
  withoutTime,
} from './log.ts';
export { isLogOrigin, LOG_ORIGIN, readLogOrigin } from './log-origin.ts';
export { misspelt } from './misspelt.ts';
export { addNetwork, liesIn } from './networks.ts';
export { PROXY_FORM, readProxy } from './proxy.ts';
export { codeOf, type Environment, printable, Reading } from './reading.ts';
export { notifyReady } from './service-manager.ts';
export { type OpenedSigningKey, openSigningKey, readOrMakeSigner, signingKeyFault } from './signing-key.ts';
export { sourceAddressOf } from './source-address.ts';
export { readTrustedProxies, TRUSTED_PROXIES } from './trusted-proxies.ts';
export { type Variable, wholeNumber } from './variable.ts';
