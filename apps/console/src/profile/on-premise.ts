import { refusal } from '@gateway/contract';
import { commonRoutes } from './common-routes.ts';
import type { Profile } from './profile.ts';

/** The restricted build: no billing, and nobody enters but through the customer's directory. */
export const profile: Profile<null> = {
  name: 'on-premise',
  variables: [],
  readConfiguration: () => null,
  routes: commonRoutes,
  createSignIn: () => ({
    identify: async () => ({ refused: refusal('sign-in-directory'), reason: 'directory-absent' }),
  }),
};
