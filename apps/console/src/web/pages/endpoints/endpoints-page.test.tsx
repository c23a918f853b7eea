import { screen, waitFor, within } from '@testing-library/react';
import { beforeEach, describe, expect, it } from 'vitest';
import { changes, EMPTY, given, held, listed, reads, refused } from '../../testing/api.ts';
import { endpoint, model, provider } from '../../testing/catalog.ts';
import { fill, show } from '../../testing/show.tsx';
import { cellsOf } from '../../testing/table.ts';
import { EndpointsPage } from './endpoints-page.tsx';

const SESSION = { subject: null, roles: [], gatewayUrl: 'https://gateway.example' };

beforeEach(() => {
  given('GET /api/providers', listed('providers', [provider('lab')]));
  given('GET /api/models', listed('models', [model('small'), model('large')]));
  given(
    'GET /api/endpoints',
    listed('endpoints', [endpoint('chat'), endpoint('code', { active: false, paths: ['/models', '/files/*'] })]),
  );
  given('GET /api/providers/health', { health: [] });
  given('GET /api/session', SESSION);
});

async function opened(at = '#endpoints') {
  const { user } = show(<EndpointsPage />, at);
  await screen.findByRole('table', { name: 'Endpoints' });
  await waitFor(() => expect(modelOf('chat').value).toBe('Small · Lab'));
  return user;
}
const modelOf = (name: string) => screen.getByRole<HTMLInputElement>('combobox', { name: `Model of ${name}` });
const switchOf = (name: string) => screen.getByRole<HTMLInputElement>('switch', { name: `${name} is active` });
const regions = () => screen.getAllByRole('region').map((region) => region.getAttribute('aria-label'));

describe('the endpoints', () => {
  it('are shown with their model, paths and state, above models and providers', async () => {
    await opened();
    expect(cellsOf('Endpoints').map((cells) => cells[2])).toEqual(['all', '/models /files/*']);
    expect([switchOf('chat').checked, switchOf('code').checked]).toEqual([true, false]);
    await screen.findByRole('region', { name: 'Usage' });
    expect(regions()).toEqual(['Endpoints', 'Models', 'Providers', 'Usage']);
    expect(screen.getByRole('link', { name: '/chat' }).getAttribute('href')).toBe(
      '#audit/decisions?resource=endpoint%3Achat',
    );
  });

  it('are searched with models and providers, and shown without them', async () => {
    const user = await opened('#endpoints?search=lab');
    const searches = () => ['endpoints', 'models', 'providers'].map((of) => reads(`/api/${of}`)[0]?.['search']);
    await waitFor(() => expect(searches()).toEqual(['lab', 'lab', 'lab']));
    given('GET /api/models', listed('models', []));
    await user.click(within(screen.getByRole('radiogroup', { name: 'What to show' })).getByText('Models'));
    await waitFor(() => expect(regions()).toEqual(['Models']));
  });

  it.each([
    [0, 0, 'Begin with the provider.', true],
    [1, 0, 'Next, a model of your provider.', true],
    [1, 1, 'Last, the endpoint.', false],
  ])(
    'that are none begin with what is missing: %i providers, %i models',
    async (providers, models, next, isDisabled) => {
      given('GET /api/providers', listed('providers', providers === 0 ? [] : [provider('lab')]));
      given('GET /api/models', listed('models', models === 0 ? [] : [model('small')]));
      given('GET /api/endpoints', listed('endpoints', []));
      show(<EndpointsPage />);
      expect(await screen.findByText((text) => text.endsWith(next))).toBeDefined();
      await waitFor(() => expect(regions()).toEqual(['Providers', 'Models', 'Endpoints']));
      expect(screen.getByRole<HTMLButtonElement>('button', { name: 'Create an endpoint' }).disabled).toBe(isDisabled);
    },
  );

  it('are switched off and on at once, and one that is refused stays as it was', async () => {
    given('PATCH /api/endpoints/id-of-chat', {});
    given('PATCH /api/endpoints/id-of-code', refused(404, 'There is no such endpoint.'));
    const user = await opened();
    await user.click(switchOf('chat'));
    expect(await screen.findByText('/chat is refused from the next call on.')).toBeDefined();
    await user.click(switchOf('code'));
    expect(await screen.findByText('There is no such endpoint.')).toBeDefined();
    expect(switchOf('code').checked).toBe(false);
    expect(changes()).toEqual([
      ['PATCH /api/endpoints/id-of-chat', { active: false }],
      ['PATCH /api/endpoints/id-of-code', { active: true }],
    ]);
  });

  it('are switched once by two quick presses', async () => {
    const letGo = held('PATCH /api/endpoints/id-of-chat', {});
    const user = await opened();
    await user.dblClick(switchOf('chat'));
    letGo();
    await screen.findByText('/chat is refused from the next call on.');
    expect(changes()).toHaveLength(1);
  });

  it('serve another model from the next call on', async () => {
    given('PATCH /api/endpoints/id-of-chat', {});
    const user = await opened();
    await user.click(modelOf('chat'));
    await user.click(await screen.findByRole('option', { name: 'Large · Lab' }));
    expect(await screen.findByText('/chat now serves another model.')).toBeDefined();
    expect(changes()).toEqual([['PATCH /api/endpoints/id-of-chat', { model: 'id-of-large' }]]);
  });

  it('are read page by page, each list on its own', async () => {
    given('GET /api/endpoints', ({ query }) =>
      query['cursor'] === undefined
        ? listed('endpoints', [endpoint('chat')], { next: 'second' })
        : listed('endpoints', [endpoint('zeta')], { previous: 'first' }),
    );
    const user = await opened();
    await user.click(screen.getByRole('button', { name: 'Next page' }));
    expect(await screen.findByRole('link', { name: '/zeta' })).toBeDefined();
    expect(location.hash).toBe('#endpoints?endpoints.page=2&endpoints.at=second');
    expect(reads('/api/models').every(({ cursor }) => cursor === undefined)).toBe(true);
  });
});

describe('a new endpoint', () => {
  const open = async () => {
    const user = await opened('#endpoints?open=endpoint');
    return { user, dialog: within(await screen.findByRole('dialog', { name: 'Create an endpoint' })) };
  };

  it('is opened by an address, once, and serves the first model without a choice', async () => {
    given('POST /api/endpoints', {});
    const { user, dialog } = await open();
    expect(location.hash).toBe('#endpoints');
    await fill(user, dialog.getByRole('textbox', { name: 'Name' }), 'review');
    await fill(user, dialog.getByRole('textbox', { name: 'Paths' }), ' /chat/completions \n\n/models');
    await user.click(dialog.getByRole('button', { name: 'Create' }));
    expect(await screen.findByText('Endpoint /review created.')).toBeDefined();
    expect(changes()).toEqual([
      [
        'POST /api/endpoints',
        { name: 'review', model: 'id-of-small', standby: null, paths: ['/chat/completions', '/models'] },
      ],
    ]);
  });

  it('with a name that is taken keeps what was typed', async () => {
    given(
      'POST /api/endpoints',
      refused(409, 'There is another endpoint with this name.', { fields: { name: 'is taken already' } }),
    );
    const { user, dialog } = await open();
    await fill(user, dialog.getByRole('textbox', { name: 'Name' }), 'chat');
    await user.keyboard('{Enter}');
    expect(await dialog.findByText('is taken already')).toBeDefined();
    expect(dialog.getByRole('alert').textContent).toBe('There is another endpoint with this name.');
    expect(dialog.getByRole<HTMLInputElement>('textbox', { name: 'Name' }).value).toBe('chat');
  });
});

describe('an endpoint that is edited', () => {
  const edit = async () => {
    const user = await opened();
    await user.click(screen.getByRole('button', { name: 'Edit endpoint code' }));
    return { user, dialog: within(await screen.findByRole('dialog', { name: 'Edit endpoint code' })) };
  };

  it('sends only what was changed, and says what a new name means', async () => {
    given('PATCH /api/endpoints/id-of-code', {});
    const { user, dialog } = await edit();
    expect(dialog.getByText(/a caller that still uses \/\s*code is answered 404/)).toBeDefined();
    await fill(user, dialog.getByRole('textbox', { name: 'Paths' }), '');
    await user.click(dialog.getByRole('button', { name: 'Save' }));
    expect(await screen.findByText('Endpoint /code saved. It takes effect with the next call.')).toBeDefined();
    expect(changes()).toEqual([['PATCH /api/endpoints/id-of-code', { paths: [] }]]);
  });

  it('gets a standby among the models of other providers, which its row names', async () => {
    given('GET /api/providers', listed('providers', [provider('lab'), provider('cloud')]));
    given('GET /api/models', listed('models', [model('small'), model('other', { provider: 'id-of-cloud' })]));
    given('GET /api/endpoints', listed('endpoints', [endpoint('code', { standby: 'id-of-other' }), endpoint('chat')]));
    given('PATCH /api/endpoints/id-of-chat', {});
    const user = await opened();
    expect(cellsOf('Endpoints').map((cells) => cells[1])).toEqual(['Standby: Other · Cloud', '']);
    await user.click(screen.getByRole('button', { name: 'Edit endpoint chat' }));
    const dialog = within(await screen.findByRole('dialog', { name: 'Edit endpoint chat' }));
    await user.click(dialog.getByRole('combobox', { name: 'Standby' }));
    const options = await screen.findAllByRole('option');
    expect(options.map(({ textContent }) => textContent)).toEqual(['Other · Cloud']);
    await user.click(options[0]!);
    await user.click(dialog.getByRole('button', { name: 'Save' }));
    await screen.findByText('Endpoint /chat saved. It takes effect with the next call.');
    expect(changes()).toEqual([['PATCH /api/endpoints/id-of-chat', { standby: 'id-of-other' }]]);
  });

  it('sends nothing where only blanks were added', async () => {
    const { user, dialog } = await edit();
    await fill(user, dialog.getByRole('textbox', { name: 'Paths' }), '/models\n\n  /files/*  ');
    await user.click(dialog.getByRole('button', { name: 'Save' }));
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
    expect(changes()).toEqual([]);
  });

  it('and was deleted meanwhile keeps the form with the refusal', async () => {
    given('PATCH /api/endpoints/id-of-code', refused(404, 'There is no such endpoint.'));
    const { user, dialog } = await edit();
    given('GET /api/endpoints', listed('endpoints', [endpoint('chat')]));
    await fill(user, dialog.getByRole('textbox', { name: 'Name' }), 'programs');
    await user.keyboard('{Enter}');
    expect((await dialog.findByRole('alert')).textContent).toBe('There is no such endpoint.');
    await waitFor(() => expect(screen.queryByRole('switch', { name: 'code is active', hidden: true })).toBeNull());
    expect(dialog.getByRole<HTMLInputElement>('textbox', { name: 'Name' }).value).toBe('programs');
  });

  it('has the path at fault marked', async () => {
    given(
      'PATCH /api/endpoints/id-of-code',
      refused(400, 'paths.0 must begin with /', { fields: { 'paths.0': 'must begin with /' } }),
    );
    const { user, dialog } = await edit();
    await fill(user, dialog.getByRole('textbox', { name: 'Paths' }), 'chat');
    await user.click(dialog.getByRole('button', { name: 'Save' }));
    expect((await dialog.findByRole('alert')).textContent).toBe('One field needs correction.');
    expect(dialog.getByRole('textbox', { name: 'Paths' }).getAttribute('aria-invalid')).toBe('true');
    expect(dialog.getByText('must begin with /')).toBeDefined();
  });
});

describe('an endpoint that is deleted', () => {
  it('is gone from the list at once, and the keyboard stays in the table', async () => {
    given('DELETE /api/endpoints/id-of-code', EMPTY);
    const user = await opened();
    await user.click(screen.getByRole('button', { name: 'Delete: Delete endpoint code' }));
    const dialog = within(await screen.findByRole('dialog', { name: 'Delete endpoint code' }));
    expect(dialog.getByText(/make it inactive/)).toBeDefined();
    given('GET /api/endpoints', listed('endpoints', [endpoint('chat')]));
    await user.click(dialog.getByRole('button', { name: 'Delete' }));
    expect(await screen.findByText('Endpoint code deleted.')).toBeDefined();
    await waitFor(() => expect(screen.queryByRole('link', { name: '/code' })).toBeNull());
    await waitFor(() => expect(document.activeElement).toBe(screen.getByRole('group', { name: 'Endpoints' })));
  });
});
