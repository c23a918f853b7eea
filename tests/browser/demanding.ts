import type { Browser, Locator, Page } from 'playwright-core';
import { afterAll, beforeAll } from 'vitest';
import { type HostedStack, startHostedStack } from '../support/hosted-stack.ts';
import { openConsole, visit } from './browser.ts';
import { asPair, ownerOf } from './furnished.ts';

/** A name as long as it may be. */
export const LONG = 'W'.repeat(255);
/** More plans than any list shows at once. */
export const MANY = 1200;

/** A page of the hosted console with a thousand objects whose texts have the maximum length, for the file that calls `useDemandingConsole`. */
export let page: Page;
export let stack: HostedStack;
/** What must not have happened. */
export let faults: readonly string[];
let browser: Browser | undefined;

export const open = (place: string): Promise<void> => visit(page, `${stack.console}/`, place);
export const button = (name: string): Locator => page.getByRole('button', { name, exact: true });

async function fill(): Promise<void> {
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
  await sql`
    insert into project_members (project, subject, added_by)
    select ${project.project}, 'member-' || n, 'shared-pair' from generate_series(1, ${MANY}) n`;
  await sql.end();
}

/** Opens the page before the first test of the file, and closes it after the last. Files share this module: each calls it. */
export function useDemandingConsole(): void {
  beforeAll(async () => {
    stack = await startHostedStack();
    await fill();
    ({ browser, page, faults } = await openConsole(stack));
  });
  afterAll(async () => {
    await browser?.close();
    await stack?.stop();
  });
}
