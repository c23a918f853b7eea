export {
  CERTIFICATE_CHECK,
  certificatesOf,
  type DatabaseReader,
  databaseReader,
  pairFault,
  readAuthority,
  refuseUnverified,
} from './database.ts';
export { addressOf, listeningFault, listeningReader, notifyReady, rememberPeer } from './listening.ts';
export {
  checkLogFormat,
  isLogOrigin,
  type Level,
  LOG_FORMAT,
  LOG_ORIGIN,
  type LogEntry,
  type LogFormat,
  logFormatOf,
  logLine,
  readLogOrigin,
  withoutTime,
} from './log.ts';
export { misspelt } from './misspelt.ts';
export { PROXY_FORM, readProxy } from './proxy.ts';
export {
  acrossBuilds,
  type Builds,
  codeOf,
  type Environment,
  printable,
  Reading,
  type Variable,
  wholeNumber,
} from './reading.ts';
export {
  absentFolderFault,
  makeFolder,
  type OpenedSigningKey,
  openSigningKey,
  readOrMakeSigner,
  signingKeyFault,
} from './signing-key.ts';
export { addNetwork, liesIn, readTrustedProxies, sourceAddressOf, TRUSTED_PROXIES } from './source-address.ts';
