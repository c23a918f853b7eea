import { createDirectoryClient } from '../server/sign-in/oidc/client.ts';
import { CLOSED, createDirectorySignIn } from '../server/sign-in/oidc/directory-sign-in.ts';
import { DIRECTORY_VARIABLES, type DirectoryConfiguration, readDirectory } from '../server/sign-in/oidc/settings.ts';
import { commonRoutes } from './common-routes.ts';
import type { Profile } from './profile.ts';

/** The restricted build: no billing, and sign-in only with the customer's identity provider. */
export const profile: Profile<DirectoryConfiguration> = {
  name: 'on-premise',
  variables: DIRECTORY_VARIABLES,
  readConfiguration: readDirectory,
  routes: commonRoutes,
  backgroundJobs: [],
  provisionsLocalAccounts: false,
  createSignIn(configuration, { database, announce, complain }) {
    if (configuration.directory === null) {
      const names = configuration.missing.join(', ');
      announce(`nobody can enter: no directory is configured (${names} not set)`);
      return CLOSED;
    }
    const settings = configuration.directory;
    if (settings.redirectUri.startsWith('http:')) {
      announce('OIDC_REDIRECT_URI is plain http: sessions of this console travel in the clear');
    }
    const client = createDirectoryClient(settings);
    return createDirectorySignIn({ settings, client, database, onFailure: complain });
  },
};
