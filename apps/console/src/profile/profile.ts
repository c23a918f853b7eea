import type { Sql } from '@gateway/database';
import type { BackgroundJob } from '../server/http/background-jobs.ts';
import type { Route } from '../server/http/route.ts';
import type { SignIn } from '../server/sign-in/sign-in.ts';
import type { ProfileConfiguration } from './configuration.ts';

/**
 * One of the two builds (roles-23). Nothing outside `profile/` asks which one it is: what differs is in
 * here, and the code of the other build is not in the artifact.
 */
export interface Profile<Own = unknown> extends ProfileConfiguration<Own> {
  readonly name: 'on-premise' | 'serverless';
  /** The route table. */
  readonly routes: readonly Route[];
  /** Whether an identity provider may provision local accounts (SCIM): where people have no others. */
  readonly provisionsLocalAccounts: boolean;
  /** Its work besides answering requests. */
  readonly backgroundJobs: readonly BackgroundJob[];
  createSignIn(
    own: Own,
    dependencies: {
      readonly database: Sql;
      /** Under which browsers reach the console; null where nobody says. */
      readonly publicOrigin: string | null;
      /** For the person who started the console. */
      readonly announce: (line: string) => void;
      /** For readers of its error output. */
      readonly complain: (line: string) => void;
    },
  ): SignIn;
}
