import * as z from 'zod';
import type { ConsoleClient } from './console-client.ts';
import type { Gatewayctl } from './gatewayctl.ts';
import type { StateDirectory } from './state.ts';

/** The account that `npm start` lets in. */
export const DEMO_ACCOUNT = 'demo';
const AUTHOR = 'npm start';
const PLAN = 'demo';

const PLAN_ROW = z.object({ id: z.string(), slug: z.string() });
const USER_ROW = z.object({ id: z.string(), username: z.string(), plan: z.string().nullable() });
const WITH_KEY = z.object({ key: z.string() });
const ACCOUNTS = z.array(z.object({ username: z.string() }));

/** Hosted profile: an account on a plan without a cap, made through the console. Returns its key. */
export async function hostedAccount(api: ConsoleClient, state: StateDirectory): Promise<string> {
  const plans = await api.list('/api/plans', 'plans', PLAN_ROW);
  const plan =
    plans.find(({ slug }) => slug === PLAN) ??
    (await api.send('POST', '/api/plans', { slug: PLAN, name: 'Demo, without a cap', monthlyCap: null }, PLAN_ROW));
  const users = await api.list('/api/users', 'users', USER_ROW);
  const user = users.find(({ username }) => username === DEMO_ACCOUNT);
  // Made on-premise, where there are no plans, it has none, and no call of it would be served here.
  if (user?.plan === null) await api.send('PATCH', `/api/users/${user.id}`, { plan: plan.id }, USER_ROW);
  if (user && state.kept.demoKey !== null) return state.kept.demoKey;
  const made = user
    ? await api.send('POST', `/api/users/${user.id}/rotate-key`, {}, WITH_KEY)
    : await api.send('POST', '/api/users', { username: DEMO_ACCOUNT, plan: plan.id }, WITH_KEY);
  state.keep({ demoKey: made.key });
  return made.key;
}

/** Grants a role if the subject does not have it yet. */
export async function grantOnce(run: Gatewayctl, subject: string, role: string): Promise<void> {
  if (!(await run('roles', subject)).includes(role)) await run('grant', subject, role, AUTHOR);
}

/** On-premise: a local account, made with the operator's command where it is not there. Returns its key. */
export async function localAccount(run: Gatewayctl, state: StateDirectory): Promise<string> {
  const accounts = ACCOUNTS.parse(JSON.parse(await run('account', 'list', '--json')));
  const there = accounts.some(({ username }) => username === DEMO_ACCOUNT);
  if (there && state.kept.demoKey !== null) return state.kept.demoKey;
  const { key } = WITH_KEY.parse(
    JSON.parse(await run('account', there ? 'rotate-key' : 'create', DEMO_ACCOUNT, '--json')),
  );
  state.keep({ demoKey: key });
  return key;
}
