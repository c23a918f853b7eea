import { describe, expect, it } from 'vitest';
import { dialogOf, tallRows, violations, widerThanScreen } from './browser.ts';
import { button, faults, LONG, MANY, open, page, stack, useDemandingConsole } from './demanding.ts';
import { ownerOf } from './furnished.ts';

useDemandingConsole();

// What people enter is as long as it may be, there is a thousand of it, and some of it is refused.
const rowsOf = (label: string) => page.getByRole('table', { name: label }).locator('tbody tr');
const isOnScreen = async (name: string) => {
  const box = await button(name).first().boundingBox();
  return box !== null && box.x >= 0 && box.x + box.width <= (page.viewportSize()?.width ?? 0);
};

describe('names as long as they may be', () => {
  it.each([
    'users',
    'caps',
    'governance',
    'governance/roles',
    'governance/projects',
    'audit/administration',
    'audit/agent-sessions',
    'audit/revoked-subjects',
  ])('leave the page whole: %s', async (place) => {
    await open(place);
    expect([...(await violations(page)), ...(await widerThanScreen(page))]).toEqual([]);
    await page.setViewportSize({ width: 360, height: 740 });
    expect(await widerThanScreen(page)).toEqual([]);
    await page.setViewportSize({ width: 1280, height: 800 });
  });
  it.each(['users', 'caps', 'governance/roles', 'governance/projects'])('make no row higher: %s', async (place) => {
    await open(place);
    expect(await tallRows(page)).toEqual([]);
  });
  it('push no button of their row off the screen', async () => {
    await open('users');
    expect(await isOnScreen(`Access of ${LONG}`)).toBe(true);
    await open('governance/roles');
    expect(await isOnScreen(`Change the roles of ${LONG}`)).toBe(true);
    await open('governance/projects');
    expect(await isOnScreen(`Members of ${'p'.repeat(64)}`)).toBe(true);
    await open('audit/revoked-subjects');
    expect(await isOnScreen(`Lift: Lift the revocation of ${LONG}`)).toBe(true);
  });
  it.each([`Keys of ${LONG}`, `Change the roles of ${LONG}`, `Access of ${LONG}`])(
    'leave the button that closes a dialog where it can be reached: %s',
    async (opener) => {
      await open('users');
      await button(opener).click();
      await dialogOf(page).waitFor();
      expect(await isOnScreen('Close')).toBe(true);
      await page.setViewportSize({ width: 360, height: 740 });
      expect(await isOnScreen('Close')).toBe(true);
      await button('Close').first().click();
      await dialogOf(page).waitFor({ state: 'detached' });
      await page.setViewportSize({ width: 1280, height: 800 });
    },
  );
});

describe('a project of a thousand members', () => {
  it('is read to its last one, who is found, removed and added again', async () => {
    await open('governance/projects');
    const name = 'p'.repeat(64);
    await button(`Members of ${name}`).click();
    const rows = rowsOf(`Members of ${name}`);
    await expect.poll(() => rows.count()).toBe(50);
    await dialogOf(page).getByLabel('Search members').fill(`member-${MANY}`);
    await expect.poll(() => rows.allTextContents()).toEqual([expect.stringContaining(`member-${MANY}`)]);
    await button(`Remove: Remove member-${MANY} from ${name}`).click();
    const asking = page.getByRole('dialog', { name: `Remove member-${MANY} from ${name}` });
    await asking.getByRole('button', { name: 'Remove', exact: true }).click();
    await asking.waitFor({ state: 'detached' });
    await dialogOf(page).getByText(`No member matches “member-${MANY}”.`).waitFor();
    // By keyboard, with a long name as an identity provider may have.
    const added = dialogOf(page).getByLabel('Add a member');
    await added.fill('a/b?c#%2F ü@x');
    await added.press('Enter');
    await expect.poll(() => added.inputValue()).toBe('');
    await dialogOf(page).getByLabel('Search members').fill('%2F');
    await button(`Remove: Remove a/b?c#%2F ü@x from ${name}`).click();
    await page.getByRole('dialog').last().getByRole('button', { name: 'Remove', exact: true }).press('Enter');
    await dialogOf(page).getByText('No member matches “%2F”.').waitFor();
    expect(await violations(page)).toEqual([]);
  });
});

describe('a choice among more than a page of a list', () => {
  it('shows the one that was made, and finds another by typing', async () => {
    await open('users');
    const plan = page.getByRole('combobox', { name: 'Plan of zoe' });
    await expect.poll(() => plan.inputValue()).toBe(`Plan number ${MANY}`);
    await plan.click();
    await plan.fill('number 1111');
    // Notifications disappear after three seconds: start to wait before they appear.
    await Promise.all([
      page.getByText('Plan of zoe changed.').waitFor(),
      page.getByRole('option', { name: 'Plan number 1111' }).click(),
    ]);
    await expect.poll(() => plan.inputValue()).toBe('Plan number 1111');
    expect(await page.getByRole('option').count()).toBeLessThanOrEqual(100);
  });
});

describe('a form that is refused', () => {
  it('keeps the input, marks each field with its message, and reports the refusal once', async () => {
    await open('endpoints');
    await button('Declare a provider').click();
    const dialog = dialogOf(page);
    const typed = { Name: 'Engine', Slug: 'a b', 'Base URL': 'ftp://engine', 'Key variable': 'DATABASE_URL' };
    for (const [label, text] of Object.entries(typed)) await dialog.getByLabel(label).first().fill(text);
    await page.keyboard.press('Enter');
    await expect.poll(() => dialog.getByRole('alert').textContent()).toBe('3 fields need correction.');
    for (const [label, text] of Object.entries(typed)) {
      const field = dialog.getByLabel(label).first();
      expect(await field.inputValue()).toBe(text);
      await expect.poll(() => field.getAttribute('aria-invalid')).toBe(label === 'Name' ? null : 'true');
    }
    expect(await violations(page)).toEqual([]);
  });
});

describe('a word that is refused', () => {
  it.each([
    ['users', 'Keys of zoe', 'Label of a further key', 'Create'],
    ['audit/revoked-subjects', `Lift: Lift the revocation of ${LONG}`, 'Reason, kept in the log', 'Lift'],
  ])('is marked where it was typed: %s', async (place, opener, label, submit) => {
    await open(place);
    await button(opener).click();
    const field = dialogOf(page).getByLabel(label);
    await field.fill('ends with a space ');
    await dialogOf(page).getByRole('button', { name: submit, exact: true }).click();
    await dialogOf(page).getByText('must not begin or end with a space').waitFor();
    expect([await field.inputValue(), await field.getAttribute('aria-invalid')]).toEqual([
      'ends with a space ',
      'true',
    ]);
  });
});

describe('what an agent called its session', () => {
  it('shows every character that would steer how the rest of the page reads', async () => {
    const sql = ownerOf(stack);
    await sql`
      insert into agent_acts (id, session, subject, at, tool, target_kind, target_value, authorized_by, outcome)
      values (gen_random_uuid(), ${'run\u202edekover'}, 'zoe', now(), ${'sh\u2066ell'}, 'path', ${'/tmp/\u202egpj.exe'}, 'policy', 'succeeded')`;
    await sql.end();
    await open('audit/agent-acts');
    const row = rowsOf('Agent acts').filter({ hasText: '/tmp/' });
    expect(await row.textContent()).toMatch(/sh\\u2066ell\/tmp\/\\u202egpj\.exe/);
    await row.getByRole('button', { name: /^Details/ }).click();
    await dialogOf(page).getByText('run\\u202edekover', { exact: true }).waitFor();
    expect(await page.locator('body').textContent()).not.toMatch(/[\u202a-\u202e\u2066-\u2069]/);
    await page.keyboard.press('Escape');
    await open('audit/agent-sessions');
    await button('Revoke: Revoke session run\\u202edekover').click();
    await dialogOf(page).getByLabel('Reason, kept in the log').fill('a false name');
    await dialogOf(page).getByRole('button', { name: 'Revoke', exact: true }).click();
    await page.getByText('Session run\\u202edekover revoked.').waitFor();
    await expect.poll(() => rowsOf('Agent sessions').filter({ hasText: 'dekover' }).textContent()).toContain('revoked');
  });
});

describe('a small screen', () => {
  it('shows the open part of the audit, even if its name is far to the right', async () => {
    await page.setViewportSize({ width: 360, height: 740 });
    for (const [place, name] of [
      ['audit/verification', 'Verification'],
      ['audit/revoked-subjects', 'Revoked subjects'],
      ['audit', 'Decisions'],
    ] as const) {
      await open(place);
      const label = page.getByRole('radiogroup', { name: 'What to read' }).getByText(name, { exact: true });
      await expect.poll(async () => (await label.boundingBox())?.x ?? -1).toBeGreaterThanOrEqual(0);
      await expect
        .poll(async () => {
          const box = await label.boundingBox();
          return (box?.x ?? 0) + (box?.width ?? 1000);
        })
        .toBeLessThanOrEqual(360);
    }
    await page.setViewportSize({ width: 1280, height: 800 });
  });
});

it('asked nobody but the console and met no error', () => {
  expect(faults).toEqual([]);
});
