import type { Page } from 'playwright-core';
import { type Ready, startStack } from '../support/stack.ts';
import { openBrowser, openPage, signedIn } from './browser.ts';
import { asPair, ownerOf } from './furnished.ts';

/** A name as long as it may be. */
export const LONG = 'W'.repeat(255);
/** More plans than any list shows at once. */
export const MANY = 1200;

/** A page of the hosted console on which everything that people entered is as long as it may be, and there is a thousand of it. */
export interface Demanding {
  readonly stack: Ready;
  readonly page: Page;
  /** What must not have happened. */
  readonly faults: readonly string[];
  stop(): Promise<void>;
}

export async function openDemanding(): Promise<Demanding> {
  const stack = await startStack('--bare');
  const ask = asPair(stack);
  await ask('POST', '/api/users', { username: LONG, displayName: 'D'.repeat(200) });
  await ask('POST', '/api/organization', { slug: 'acme', name: 'O'.repeat(200) });
  await ask('POST', `/api/audit/agent-sessions/${'s'.repeat(256)}/revocation`, { reason: 'r'.repeat(300) });
  await ask('POST', '/api/subject-revocations', { subject: LONG, reason: 'r'.repeat(300) });
  const project = { role: 'administrateur-de-projet', project: 'p'.repeat(64) };
  await ask('POST', '/api/role-assignments', { subject: LONG, ...project });
  const sql = ownerOf(stack);
  await sql`
    insert into plans (id, slug, name, monthly_cap)
    select gen_random_uuid(), 'plan-' || to_char(n, 'FM0000'), 'Plan number ' || n, n from generate_series(1, ${MANY}) n`;
  await sql`
    insert into accounts (id, username, origin, enabled, plan_id)
    select gen_random_uuid(), 'zoe', 'local', true, id from plans where slug = ${`plan-${MANY}`}`;
  await sql.end();
  const browser = await openBrowser();
  const { user = '', password = '' } = stack.consoleSignIn ?? {};
  const context = await signedIn(browser, { username: user, password });
  const { page, faults } = await openPage(context, [new URL(stack.console).origin]);
  return {
    stack,
    page,
    faults,
    async stop() {
      await browser.close();
      await stack.stop();
    },
  };
}
