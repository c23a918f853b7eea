import { screen, waitFor, within } from '@testing-library/react';
import { beforeEach, describe, expect, it } from 'vitest';
import { changes, given, held, refused, unreachable } from '../../testing/api.ts';
import { fill, show } from '../../testing/show.tsx';
import { ExplainCall, OrganizationPolicy } from './policy-page.tsx';

const READ = 'GET /api/organization';
const INSTALL = 'POST /api/organization/policy';
const organization = (policy: object | null = null, id = 'o1') => ({
  organizations: [{ id, slug: 'acme', name: 'Acme', policy }],
});
const policy = (revision: number, document: object, but: object = {}) => ({
  revision,
  document,
  author: 'grace',
  producedAt: '2026-05-01T08:00:00.000Z',
  validFrom: null,
  validUntil: null,
  ...but,
});

const editor = () => screen.findByRole<HTMLTextAreaElement>('textbox', { name: 'Policy document of Acme' });
const field = (name: string) => screen.getByRole<HTMLInputElement>('textbox', { name });
const install = () => screen.getByRole<HTMLButtonElement>('button', { name: 'Install the next revision' });

/** Each test has an organization of its own: a draft outlives its page. */
let count = 0;
const id = () => `organization ${count}`;
beforeEach(() => {
  count += 1;
  given(READ, organization(policy(1, { tools: {} }), id()));
});

describe('an organization', () => {
  it('is created first, and the operator reads what to set', async () => {
    given(READ, { organizations: [] });
    given('POST /api/organization', () => {
      given(READ, organization(null, id()));
      return {};
    });
    const { user } = show(<OrganizationPolicy />);
    expect((await screen.findByText(/^No organization yet\./)).textContent).toContain('GATEWAY_ORGANIZATION');
    await user.click(screen.getByRole('button', { name: 'Create an organization' }));
    await screen.findByRole('dialog', { name: 'Create an organization' });
    await fill(user, field('Slug'), 'acme');
    await fill(user, field('Name'), 'Acme');
    await user.keyboard('{Enter}');
    expect(await screen.findByText('Organization Acme created.')).toBeDefined();
    expect(changes()).toEqual([['POST /api/organization', { slug: 'acme', name: 'Acme' }]]);
    expect(await screen.findByText('imposes nothing yet')).toBeDefined();
  });

  it('says that it is loading, and that it cannot be read', async () => {
    const letGo = held(READ, refused(503, 'Down.', { down: 'database' }));
    show(<OrganizationPolicy />);
    expect(screen.getByRole('status', { name: 'Organization policy: loading' })).toBeDefined();
    letGo();
    expect(await screen.findByRole('alert')).toBeDefined();
    expect(screen.queryByText(/^No organization yet/)).toBeNull();
  });
});

describe('the policy of an organization', () => {
  it('begins with an example that can be installed as it is', async () => {
    given(READ, organization(null, id()));
    given(INSTALL, { revision: 1 });
    const { user } = show(<OrganizationPolicy />);
    const example = JSON.parse((await editor()).value) as object;
    await user.click(install());
    expect(await screen.findByText('Policy of Acme installed.')).toBeDefined();
    expect(changes()).toEqual([[INSTALL, { organization: 'acme', document: example }]]);
    expect(Object.keys(example)).toEqual(['models', 'tools', 'secrets']);
  });

  it('is valid from and until the instants that are given', async () => {
    const instants = { validFrom: '2027-01-01T00:00:00.000Z', validUntil: '2027-12-31T00:00:00.000Z' };
    given(READ, organization(policy(1, {}, instants), id()));
    given(INSTALL, { revision: 2 });
    const { user } = show(<OrganizationPolicy />);
    await editor();
    expect(field('Valid from').value).toBe(instants.validFrom);
    await fill(user, field('Valid until'), ' 2028-01-01T00:00:00.000Z ');
    await user.click(install());
    await screen.findByText('Policy of Acme installed.');
    expect(changes()[0]?.[1]).toMatchObject({ ...instants, validUntil: '2028-01-01T00:00:00.000Z' });
  });

  it('marks the instant at fault', async () => {
    given(INSTALL, refused(400, 'validFrom must be an instant.', { fields: { validFrom: 'must be an instant' } }));
    const { user } = show(<OrganizationPolicy />);
    await editor();
    await fill(user, field('Valid from'), 'tomorrow');
    await user.click(install());
    expect(await screen.findByText('must be an instant')).toBeDefined();
    expect(field('Valid from').getAttribute('aria-invalid')).toBe('true');
    expect(field('Valid until').getAttribute('aria-invalid')).toBeNull();
  });

  it('that is no JSON marks its line, and cannot be installed', async () => {
    const { user } = show(<OrganizationPolicy />);
    await fill(user, await editor(), '{\n  "tools": [shell]\n}');
    expect(install().disabled).toBe(true);
    await user.click(screen.getByRole('button', { name: /^Line 2, column 13: Unexpected token/ }));
    const area = await editor();
    expect(area.value.slice(area.selectionStart, area.selectionEnd)).toBe('s');
  });

  it('is kept where it is refused, with the sentence of the console', async () => {
    given(
      INSTALL,
      refused(400, 'document must not hold "budget".', { fields: { document: 'must not hold "budget"' } }),
    );
    const { user } = show(<OrganizationPolicy />);
    await fill(user, await editor(), '{"budget": 7}');
    await user.click(install());
    expect((await screen.findByRole('alert')).textContent).toContain('must not hold "budget"');
    given(INSTALL, unreachable);
    await user.click(install());
    expect(await screen.findByText(/^The console cannot be reached\./)).toBeDefined();
    expect((await editor()).value).toBe('{"budget": 7}');
  });

  it('is kept while another administrator installs one, who is named', async () => {
    given(INSTALL, refused(409, 'Something else.'));
    const { user } = show(<OrganizationPolicy />);
    await fill(user, await editor(), '{"mine": 1}');
    given(READ, organization(policy(2, { theirs: 1 }), id()));
    await user.click(install());
    expect(
      await screen.findByText('grace installed revision 2 while you were writing. Your text replaces it.'),
    ).toBeDefined();
    expect((await editor()).value).toBe('{"mine": 1}');
    await user.click(screen.getByRole('button', { name: 'Show revision 2 instead' }));
    expect(JSON.parse((await editor()).value)).toEqual({ theirs: 1 });
  });

  it('goes on while it is installed once: what is typed meanwhile is not lost', async () => {
    const letGo = held(INSTALL, { revision: 2 });
    const { user } = show(<OrganizationPolicy />);
    await fill(user, await editor(), '{"first": 1}');
    await user.dblClick(install());
    await fill(user, await editor(), '{"second": 1}');
    given(READ, organization(policy(2, { first: 1 }), id()));
    letGo();
    await screen.findByText('Policy of Acme installed.');
    const section = within(screen.getByRole('region', { name: 'Policy of Acme' }));
    await section.findByText('revision 2, by grace');
    await waitFor(() => expect(install().dataset['loading']).toBeUndefined());
    expect((await editor()).value).toBe('{"second": 1}');
    expect(screen.queryByText(/while you were writing/)).toBeNull();
    expect(changes()).toEqual([[INSTALL, { organization: 'acme', document: { first: 1 } }]]);
  });
});

describe('a call that is asked about', () => {
  const answered = { allowed: true, reason: 'role', policies: [], standby: null };
  const standby = {
    model: 'huge',
    provider: 'cloud',
    allowed: false,
    reason: 'policy-forbids',
    policies: ['near only'],
  };
  it.each([
    [answered, ['It would be allowed']],
    [{ ...answered, allowed: false, reason: 'policy-error', policies: ['sum'] }, ['It would be refused']],
    [{ ...answered, standby }, ['It would be allowed', 'With its standby, huge of cloud, it would be refused']],
  ])('is answered, with the standby where that is decided otherwise: %#', async (answer, titles) => {
    given('POST /api/policies/explain', answer);
    const { user } = show(<ExplainCall />);
    await fill(user, field('Subject'), 'ada');
    await fill(user, field('Endpoint'), 'chat');
    await user.keyboard('{Enter}');
    for (const name of titles) expect(await screen.findByRole('status', { name })).toBeDefined();
    expect(screen.getAllByRole('status')).toHaveLength(titles.length);
    expect(changes()).toEqual([['POST /api/policies/explain', { subject: 'ada', endpoint: 'chat' }]]);
  });
});
