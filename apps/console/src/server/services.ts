import type { Sql } from '@gateway/database';
import type { AdministrationLog } from './administration-log.ts';
import type { Assets } from './assets.ts';

/** What stands behind the routes. `main.ts` alone knows how each is made. */
export interface Services {
  readonly database: Sql;
  readonly administration: AdministrationLog;
  readonly assets: Assets;
}
