import { usageSumsJob } from '../server/http/background-jobs.ts';
import { meRoutes } from '../server/routes/me.ts';
import { OIDC_VARIABLES, type OidcConfiguration, readOidc } from '../server/sign-in/oidc-settings.ts';
import { CLOSED, checkIdentityProvider, createOidcClient, createOidcSignIn } from '../server/sign-in/oidc-sign-in.ts';
import { commonRoutes } from './common-routes.ts';
import type { Profile } from './profile.ts';

/** The restricted build: no billing, and sign-in only with the customer's identity provider. */
export const profile: Profile<OidcConfiguration> = {
  name: 'on-premise',
  variables: OIDC_VARIABLES,
  readConfiguration: readOidc,
  routes: [...commonRoutes, ...meRoutes(async () => null)],
  backgroundJobs: [usageSumsJob],
  provisionsLocalAccounts: false,
  createSignIn(configuration, { database, announce, complain }) {
    if (configuration.identityProvider === null) {
      const names = configuration.missing.join(', ');
      announce(`nobody can sign in: no identity provider is configured (${names} not set)`);
      return CLOSED;
    }
    const settings = configuration.identityProvider;
    if (settings.redirectUri.startsWith('http:')) {
      announce('OIDC_REDIRECT_URI is plain http: the sessions of this console are sent unencrypted');
    }
    checkIdentityProvider(settings, complain).catch(complain);
    const client = createOidcClient(settings);
    return createOidcSignIn({ settings, client, database, onFailure: complain });
  },
};
