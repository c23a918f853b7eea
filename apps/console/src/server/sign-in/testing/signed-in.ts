import type { Role } from '@gateway/contract';
import { grant } from '../../../testing/console.ts';
import type { OnPremise } from '../../../testing/on-premise.ts';

/** Signs in with these roles, that of a project for `apollo`; returns a client with that session. */
export async function signedIn(world: OnPremise, user: string, ...roles: Role[]) {
  const { database, base } = world.console;
  for (const role of roles) await grant(database, user, role, role === 'administrateur-de-projet' ? 'apollo' : null);
  const browser = world.newBrowser();
  const steps = await browser.signIn(base, user);
  const cookie = browser.cookies(base);
  return { browser, steps, cookie, api: world.console.withHeaders({ cookie }) };
}
