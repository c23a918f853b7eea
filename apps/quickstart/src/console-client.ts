import * as z from 'zod';
import type { Gatewayctl } from './component.ts';
import { StartFault } from './environment.ts';
import type { StateDirectory } from './state.ts';

/** The console's API, entered as a person enters it. */
export interface ConsoleClient {
  /** All rows of a list, following its cursor. */
  list<Row>(path: string, plural: string, row: z.ZodType<Row>): Promise<readonly Row[]>;
  send<Answer>(method: 'POST' | 'PATCH', path: string, body: object, answer: z.ZodType<Answer>): Promise<Answer>;
}

/**
 * @param address where the console listens
 * @param credentials the header that carries the sign-in: `authorization` or `cookie`
 */
export function consoleClient(address: string, credentials: Readonly<Record<string, string>>): ConsoleClient {
  const ask = async (method: string, path: string, body?: object): Promise<unknown> => {
    const response = await fetch(new URL(path, address), {
      method,
      headers: { ...credentials, origin: new URL(address).origin, 'content-type': 'application/json' },
      body: body === undefined ? null : JSON.stringify(body),
      redirect: 'manual',
    });
    const text = await response.text();
    if (!response.ok) throw new StartFault(`The console answered ${response.status} to ${method} ${path}: ${text}`);
    return JSON.parse(text);
  };
  return {
    list: async (path, plural, row) => {
      const rows = [];
      let next: string | null = '';
      while (next !== null) {
        const page = await ask('GET', next === '' ? path : `${path}?cursor=${encodeURIComponent(next)}`);
        const read = z.looseObject({ [plural]: z.array(row), next: z.string().nullable() }).parse(page);
        rows.push(...z.array(row).parse(read[plural]));
        next = z.string().nullable().parse(read['next']);
      }
      return rows;
    },
    send: async (method, path, body, answer) => answer.parse(await ask(method, path, body)),
  };
}

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
