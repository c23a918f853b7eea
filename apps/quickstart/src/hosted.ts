import { consoleClient } from './console-client.ts';
import { hostedAccount } from './demo-account.ts';
import type { ProfilePlan } from './profile-plan.ts';
import type { StateDirectory } from './state.ts';

const USER = 'admin';

/** The hosted profile: the console has a shared pair, the first start makes the account `admin`, accounts have plans. */
export function hosted(state: StateDirectory): ProfilePlan {
  const { adminKey, consolePassword } = state.kept;
  const basic = Buffer.from(`${USER}:${consolePassword}`).toString('base64');
  return {
    gateway: { ADMIN_API_KEY: adminKey },
    console: () => ({ ADMIN_USER: USER, ADMIN_PASS: consolePassword }),
    ready: {
      keys: { admin: adminKey },
      license: null,
      directory: null,
      consoleSignIn: { user: USER, password: consolePassword },
      auditorSignIn: null,
    },
    openConsole: async (address) => consoleClient(address, { authorization: `Basic ${basic}` }),
    account: (api) => hostedAccount(api, state),
  };
}
