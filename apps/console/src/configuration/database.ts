import { databaseReader } from '@gateway/configuration';

/** The database of a development checkout, for which DATABASE_URL may be absent. */
export const DEVELOPMENT_DATABASE = 'postgres://console_service@127.0.0.1:6000/gateway';

export const DATABASE = databaseReader('console', {
  address: DEVELOPMENT_DATABASE,
  shown: `the development database ${DEVELOPMENT_DATABASE}, which is announced at start`,
});
